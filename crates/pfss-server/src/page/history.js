// All plans, the newest first; two of them can be compared.

import * as api from "./api.js";
import { h, toast } from "./dom.js";
import { count, format, percent, stateNames, valueName, when } from "./words.js";

export async function historyView(main, compare) {
  const chosen = new Set();
  const rows = h("tbody"), more = h("button", { type: "button", hidden: true }, "Show older plans");
  const button = h("button", { type: "button", class: "primary", id: "compare", disabled: true, onclick: () => compare([...chosen]) }, "Compare two plans");
  const hint = h("span", { class: "small", role: "status" });
  const settle = () => {
    button.disabled = chosen.size !== 2;
    hint.textContent = chosen.size === 0 ? "Choose two plans to see them side by side." : chosen.size === 1 ? "Choose one more." : chosen.size > 2 ? "Two at a time, please." : "";
  };
  const row = (job) => h("tr", {},
    h("td", {}, h("input", { type: "checkbox", "aria-label": `Compare ${job.name}`, disabled: job.value === null,
      onchange: (event) => { if (event.target.checked) chosen.add(job.id); else chosen.delete(job.id); settle(); } })),
    h("th", { scope: "row" }, h("a", { href: `#/plan/${job.id}` }, job.name || "plan"), h("small", {}, `${count(job.num_jobs, "job")} on ${count(job.num_machines, "machine")}`)),
    h("td", {}, h("span", { class: `badge ${job.state}` }, stateNames[job.state])),
    h("td", { class: "numeric" }, format(job.value), h("small", {}, valueName(job.objective).toLowerCase())),
    h("td", { class: "numeric" }, percent(job.gap)),
    h("td", {}, when(job.created_at)),
    h("td", {}, h("button", { type: "button", class: "quiet", "aria-label": `Forget ${job.name}`, onclick: (event) => forget(job, event.target.closest("tr")) }, "Forget")));
  async function forget(job, element) {
    if (!confirm(`Forget the plan “${job.name}” of ${when(job.created_at)}?`)) return;
    try {
      await api.forget(job.id);
      element.remove();
      chosen.delete(job.id);
      settle();
    } catch (error) { toast(error.message); }
  }
  async function load(before) {
    const { jobs, next } = await api.list(before);
    rows.append(...jobs.map(row));
    more.hidden = !next;
    more.onclick = () => load(next).catch((error) => toast(error.message));
    return jobs.length;
  }
  const found = await load(null);
  if (!found) {
    main.replaceChildren(h("h1", {}, "Plans"), h("div", { class: "card empty" }, h("p", {}, "There are no plans yet."), h("p", {}, h("a", { class: "button primary", href: "#/" }, "Make the first one"))));
    return;
  }
  settle();
  main.replaceChildren(h("h1", {}, "Plans"), h("p", { class: "row" }, button, hint),
    h("div", { class: "sheet", tabindex: 0, role: "region", "aria-label": "All plans" },
      h("table", { class: "plans" }, h("thead", {}, h("tr", {}, h("td", {}), ["Plan", "State", "Value", "Gap", "Made"].map((name) => h("th", { scope: "col" }, name)), h("td", {}))), rows)),
    more);
}
