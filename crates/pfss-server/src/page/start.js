// The beginning: a file, a paste, an example, or an empty table.

import * as api from "./api.js";
import { clockFields, clockOptions } from "./clock.js";
import { h, say } from "./dom.js";
import { tableOfInstance } from "./rules.js";
import { emptyTable, parseCells, tableOf } from "./table.js";
import { count, format, stateNames, when } from "./words.js";

const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

export function startView(main, edit) {
  const wrong = h("p", { class: "wrong", role: "alert", hidden: true });
  const fail = (error) => {
    wrong.textContent = error.message;
    wrong.hidden = false;
  };
  // A workbook with dates is read again once it is known when the plan begins.
  const clock = {}, again = h("div", { class: "again", hidden: true });
  const take = (file) => readFile(file, clock).then(edit).catch((error) => {
    again.hidden = !error.message.includes("--start-at");
    if (again.hidden) return fail(error);
    again.replaceChildren(clockFields(clock, () => {}), h("button", { type: "button", class: "primary", onclick: () => take(file) }, "Read the file"));
    again.querySelector("input").focus();
  });
  const picker = h("input", { type: "file", id: "file", class: "unseen", accept: ".csv,.txt,.tsv,.xlsx,.json",
    onchange: () => picker.files[0] && take(picker.files[0]) });
  const drop = h("section", { class: "drop", "aria-labelledby": "drop-title" },
    h("h2", { id: "drop-title" }, "Your jobs"),
    h("p", {}, "Drop a CSV or Excel file here: one row per job, one column per machine, how long each takes."),
    h("p", { class: "row centre" },
      h("label", { class: "button primary", for: "file" }, "Choose a file"), picker,
      h("button", { type: "button", onclick: () => edit(emptyTable()) }, "Type into an empty table")),
    h("label", { for: "paste", class: "small" }, "or paste cells from a spreadsheet"),
    h("textarea", { id: "paste", rows: 3, spellcheck: false, placeholder: "job\tcut\tweld\tpaint\nframe\t4\t3\t2\ndoor\t2\t5\t3",
      onpaste: (event) => pasted(event.clipboardData.getData("text"), event),
      onchange: (event) => pasted(event.target.value) }),
    again, wrong);
  const pasted = (text, event) => {
    const rows = parseCells(text);
    if (!rows.length) return;
    event?.preventDefault();
    edit(tableOf(rows, "pasted"));
  };
  watchDrops(drop, take);
  const shelf = h("div", { class: "shelf" });
  const recent = h("section", { "aria-labelledby": "recent-title", hidden: true });
  main.replaceChildren(
    h("div", { class: "hero" },
      h("h1", {}, "In which order should the jobs run?"),
      h("p", { class: "lead" }, "Every job passes the same line of machines. Some orders are done hours before others. Give the times, get an order, and see how much better any other could be.")),
    drop,
    h("section", { "aria-labelledby": "examples-title" }, h("h2", { id: "examples-title" }, "Or try an example"), shelf),
    recent);
  api.examples().then((all) => shelf.replaceChildren(...all.map((example) =>
    h("button", { type: "button", class: "card example", "data-example": example.name,
      onclick: () => edit(tableOf(parseCells(example.csv), example.name)) },
    h("strong", {}, example.name),
    h("span", {}, example.summary),
    h("small", {}, `${count(example.num_jobs, "job")} on ${count(example.num_machines, "machine")}`))))).catch(fail);
  api.list(null, 4).then(({ jobs }) => {
    if (!jobs.length) return;
    recent.hidden = false;
    recent.replaceChildren(h("h2", { id: "recent-title" }, "Lately"),
      h("ul", { class: "recent" }, jobs.map((job) => h("li", {},
        h("a", { href: `#/plan/${job.id}` }, job.name || "plan"),
        h("span", {}, `${stateNames[job.state]}, ${job.value === null ? "no plan yet" : format(job.value)}`),
        h("small", {}, when(job.created_at))))));
  }).catch(() => {});
  say("Choose a file, paste cells, or take an example.");
}

function watchDrops(zone, take) {
  const over = (on) => (event) => { event.preventDefault(); zone.classList.toggle("over", on); };
  zone.addEventListener("dragover", over(true));
  zone.addEventListener("dragleave", over(false));
  zone.addEventListener("drop", (event) => {
    over(false)(event);
    const file = event.dataTransfer.files[0];
    if (file) take(file);
  });
}

// A file as a table. CSV and JSON are read here, so that a wrong cell can be mended; everything else is read by the server.
async function readFile(file, clock) {
  const name = file.name.replace(/\.[^.]*$/, "");
  if (/\.(csv|tsv)$/i.test(file.name)) return tableOf(parseCells(await file.text()), name);
  const isBook = /\.xlsx$/i.test(file.name);
  const content = isBook ? await file.arrayBuffer() : await file.text();
  if (/\.json$/i.test(file.name)) {
    try {
      const table = tableOfInstance(JSON.parse(content), name);
      if (table) return table;
    } catch { /* the server says what is wrong, and where */ }
  }
  const { instance } = await api.read(content, isBook ? XLSX : "text/plain", file.name, clockOptions(clock));
  return { ...tableOfInstance(instance, name), name };
}
