// Which view is shown: the part of the address behind `#` says it, so that a reload and the way back work.

import { compareView } from "./compare.js";
import { h } from "./dom.js";
import { editorView } from "./editor.js";
import { historyView } from "./history.js";
import { planView } from "./plan.js";
import { startView } from "./start.js";

const DRAFT = "pfss-draft";
const main = document.getElementById("main");
let current = new AbortController();

const openPlan = (id) => { location.hash = `#/plan/${id}`; };

function edit(table) {
  try { sessionStorage.setItem(DRAFT, JSON.stringify(table)); } catch { /* too large to keep: a reload begins anew */ }
  draft = table;
  if (location.hash === "#/edit") show(); else location.hash = "#/edit";
}
let draft = null;
try { draft = JSON.parse(sessionStorage.getItem(DRAFT)); } catch { /* nothing kept */ }
window.addEventListener("pagehide", () => {
  try { if (draft) sessionStorage.setItem(DRAFT, JSON.stringify(draft)); } catch { /* as above */ }
});

async function show() {
  current.abort();
  current = new AbortController();
  const { signal } = current;
  const [view, ...rest] = location.hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
  for (const link of document.querySelectorAll("nav a")) {
    const isHere = link.dataset.view === (view === "plans" ? "plans" : view === "" || view === "edit" ? "start" : "");
    if (isHere) link.setAttribute("aria-current", "page"); else link.removeAttribute("aria-current");
  }
  document.title = "pfss";
  window.scrollTo(0, 0);
  try {
    if (view === "edit" && draft) editorView(main, draft, openPlan);
    else if (view === "plan" && rest[0]) await planView(main, rest[0], { signal, open: openPlan });
    else if (view === "plans") await historyView(main, ([a, b]) => { location.hash = `#/compare/${a}/${b}`; });
    else if (view === "compare" && rest.length === 2) await compareView(main, rest);
    else startView(main, edit);
  } catch (error) {
    if (signal.aborted) return;
    main.replaceChildren(h("h1", {}, error.status === 404 ? "This plan is not here" : "That did not work"), h("div", { class: "card empty" }, h("p", { role: "alert" }, error.message), h("p", {}, h("a", { class: "button", href: "#/" }, "Begin anew"))));
  }
}

window.addEventListener("hashchange", show);
// A file that is dropped beside its place must not replace the page.
for (const name of ["dragover", "drop"]) window.addEventListener(name, (event) => event.preventDefault());
show();
