// The table of times: cells to change, with what is wrong beside them, and the button that solves.

import * as api from "./api.js";
import { clockFields, clockOptions } from "./clock.js";
import { h, say } from "./dom.js";
import { hasRules, instanceOfTable, needsClock, ruleList } from "./rules.js";
import { cellProblem, isAttribute, parseCells, problems, toCsv } from "./table.js";
import { count, objectiveName, objectiveNames, timeLabel } from "./words.js";

// More rows are shown when they are asked for: nobody edits hundreds at a glance.
const PAGE = 60;
const TIMES = [2, 10, 30, 60, 300, 600];

export function editorView(main, table, openPlan) {
  let shown = PAGE, longest = Infinity;
  const body = h("tbody"), head = h("tr"), verdict = h("p", { class: "verdict", id: "verdict", role: "status" });
  const more = h("button", { type: "button", class: "quiet", onclick: () => { shown += 10 * PAGE; rows(); } });
  const solve = h("button", { type: "button", class: "primary large", id: "solve", onclick: submit }, "Find the best order");
  const refused = h("p", { class: "wrong", role: "alert", hidden: true });
  const name = h("input", { id: "plan-name", value: table.name, autocomplete: "off", maxlength: 80,
    oninput: () => { table.name = name.value; } });
  const time = h("select", { id: "time" }, TIMES.map((value) => h("option", { value, selected: value === 10 }, timeLabel(value))));
  const objective = h("select", { id: "objective" });
  table.clock ??= {};
  const clock = h("div", { hidden: true }, clockFields(table.clock, () => judge()));
  const rules = h("section", { class: "card rules", "aria-labelledby": "rules-title", hidden: true });

  function columns() {
    head.replaceChildren(h("th", { scope: "col", class: "corner" }, "Job"),
      ...table.columns.map((column, c) => h("th", { scope: "col", class: isAttribute(column) ? "attribute" : "" },
        h("input", { value: column, "aria-label": `Name of column ${c + 1}`, oninput: (event) => { table.columns[c] = event.target.value; judge(); }, onchange: () => { choices(); rows(); } }),
        h("button", { type: "button", class: "quiet tiny", "aria-label": `Remove column ${column}`, title: "Remove this column",
          onclick: () => { table.columns.splice(c, 1); table.machineRules?.splice(c, 1); table.rows.forEach((row) => row.cells.splice(c, 1)); all(); } }, "×"))),
      h("td", { class: "end" }, h("button", { type: "button", class: "quiet", onclick: addMachine }, "+ machine")));
  }

  function rows() {
    body.replaceChildren(...table.rows.slice(0, shown).map(rowOf));
    more.hidden = table.rows.length <= shown;
    more.textContent = `Show more (${(table.rows.length - shown).toLocaleString("en-US")} jobs are not shown)`;
    judge();
  }

  function rowOf(row, r) {
    return h("tr", {},
      h("th", { scope: "row" }, h("input", { value: row.name, "aria-label": `Name of job ${r + 1}`, "data-r": r, "data-c": -1, oninput: (event) => { row.name = event.target.value; } })),
      table.columns.map((column, c) => h("td", {}, cellOf(row, r, c))),
      h("td", { class: "end" }, h("button", { type: "button", class: "quiet tiny", "aria-label": `Remove ${row.name || "job " + (r + 1)}`, title: "Remove this job",
        onclick: () => { table.rows.splice(r, 1); rows(); also(); } }, "×")));
  }

  function cellOf(row, r, c) {
    const column = table.columns[c];
    return h("input", { value: row.cells[c] ?? "", inputmode: isAttribute(column) ? "text" : "decimal", autocomplete: "off",
      "aria-label": `${row.name || "job " + (r + 1)}, ${column}`, "data-r": r, "data-c": c,
      oninput: (event) => { row.cells[c] = event.target.value; judge(); } });
  }

  // Marks what is wrong, and tells how much it is.
  function judge() {
    const found = problems(table);
    for (const input of body.querySelectorAll("input[aria-invalid]")) unmark(input);
    for (const [r, c, reason] of found) {
      const input = body.querySelector(`input[data-r="${r}"][data-c="${c}"]`);
      if (input) mark(input, reason);
    }
    const size = `${count(table.rows.length, "job")} on ${count(table.columns.filter((column) => !isAttribute(column)).length, "machine")}`;
    const isEmpty = !table.rows.length || !table.columns.some((column) => !isAttribute(column));
    const isClockless = needsClock(table) && !table.clock.start;
    clock.hidden = !needsClock(table);
    solve.disabled = found.length > 0 || isEmpty || isClockless;
    verdict.replaceChildren(...(isEmpty ? ["At least one job and one machine are needed."]
      : found.length === 0 && isClockless ? [`${size}. `, h("button", { type: "button", class: "link", onclick: () => document.getElementById("start-at").focus() }, "Say when the plan begins"), "."]
      : found.length === 0 ? [`${size}. Everything is in place.`]
      : [`${size}. ${found.length === 1 ? "One cell is" : count(found.length, "cell") + " are"} wrong: `,
        h("button", { type: "button", class: "link", onclick: () => goTo(found[0]) }, "show the first")]));
    verdict.classList.toggle("bad", solve.disabled);
  }

  function mark(input, reason) {
    const id = `why-${input.dataset.r}-${input.dataset.c}`;
    input.setAttribute("aria-invalid", "true");
    input.setAttribute("aria-describedby", id);
    input.after(h("span", { class: "why", id }, reason));
  }

  function unmark(input) {
    input.removeAttribute("aria-invalid");
    input.removeAttribute("aria-describedby");
    if (input.nextElementSibling?.classList.contains("why")) input.nextElementSibling.remove();
  }

  function goTo([r, c, reason]) {
    if (r >= shown) { shown = r + PAGE; rows(); }
    const input = body.querySelector(`input[data-r="${r}"][data-c="${c}"]`);
    input?.focus();
    input?.select();
    if (reason) say(reason);
  }

  function addMachine() {
    table.columns.push(`Machine ${table.columns.length + 1}`);
    table.machineRules?.push({});
    table.rows.forEach((row) => row.cells.push(""));
    all();
    head.querySelectorAll("input")[table.columns.length - 1]?.select();
  }

  function addJob() {
    table.rows.push({ name: `Job ${table.rows.length + 1}`, cells: Array(table.columns.length).fill("") });
    shown = Math.max(shown, table.rows.length);
    rows();
    goTo([table.rows.length - 1, 0]);
  }

  // Objectives that need due dates are offered where there are any.
  function choices() {
    const hasDue = table.columns.some((column) => column.trim().toLowerCase() === "due");
    const all = Object.entries(objectiveNames).filter(([key]) => hasDue || key === "makespan" || key === "total-completion");
    if (table.objective?.includes(",")) all.unshift([table.objective, objectiveName(table.objective)]);
    const before = objective.value || table.objective || (hasDue ? "total-tardiness" : "makespan");
    objective.replaceChildren(...all.map(([key, label]) => h("option", { value: key, selected: key === before }, label)));
  }

  // What the file says beyond the table.
  function also() {
    const list = ruleList(table);
    rules.hidden = !list.length;
    rules.replaceChildren(h("h2", { id: "rules-title" }, "Also planned with"),
      h("ul", {}, list.map(({ text, remove }) => h("li", {}, h("span", {}, text),
        h("button", { type: "button", class: "quiet tiny", "aria-label": `Remove: ${text}`, title: "Plan without this", onclick: () => { remove(); also(); judge(); } }, "×")))));
  }

  const all = () => { columns(); choices(); rows(); also(); };

  // Cells like those of a spreadsheet: arrows and Enter move, a paste fills.
  body.addEventListener("keydown", (event) => {
    const { r, c } = event.target.dataset;
    if (r === undefined) return;
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], Enter: [1, 0] }[event.key];
    if (!step) return;
    event.preventDefault();
    const next = body.querySelector(`input[data-r="${+r + step[0]}"][data-c="${c}"]`);
    next?.focus();
    next?.select();
  });
  body.addEventListener("paste", (event) => {
    const { r, c } = event.target.dataset;
    const text = event.clipboardData.getData("text");
    if (r === undefined || +c < 0 || !/[\t\n]/.test(text.trim())) return;
    event.preventDefault();
    parseCells(text).forEach((cells, down) => cells.forEach((cell, right) => {
      const row = table.rows[+r + down];
      if (row && +c + right < table.columns.length) row.cells[+c + right] = cell;
    }));
    rows();
  });

  async function submit() {
    solve.disabled = true;
    refused.hidden = true;
    try {
      const options = { time_limit: Math.min(+time.value, longest), ...(needsClock(table) ? clockOptions(table.clock) : {}) };
      if (objective.value !== "makespan") options.objective = objective.value;
      const { id } = hasRules(table) ? await api.submitInstance(instanceOfTable(table), options) : await api.submitTable(toCsv(table), table.name, options);
      openPlan(id);
    } catch (error) {
      refused.textContent = error.message;
      refused.hidden = false;
      if (error.line > 1 && !hasRules(table)) goTo([error.line - 2, 0]);
      judge();
    }
  }

  main.replaceChildren(
    h("h1", {}, "The jobs and their times"),
    h("p", { class: "lead" }, "One row per job, one column per machine, in the order of the line. Change what you like."),
    h("div", { class: "work" },
      h("div", { class: "beside" },
        h("div", { class: "sheet", tabindex: 0, role: "region", "aria-label": "Table of times" }, h("table", {}, h("thead", {}, head), body)),
        h("p", { class: "row" }, h("button", { type: "button", onclick: addJob }, "+ job"), more),
        rules, verdict),
      h("aside", { class: "card panel" },
        h("label", { for: "plan-name" }, "Name of the plan"), name,
        h("label", { for: "objective" }, "What should be small"), objective,
        clock,
        h("label", { for: "time" }, "How long may it search"), time,
        h("p", { class: "small" }, "Longer searches find shorter plans, but the first seconds bring most. You can stop and go on at any time."),
        solve, refused)));
  all();
  api.health().then((server) => {
    longest = server.max_time_s ?? Infinity;
    for (const option of [...time.options]) if (+option.value > longest) option.remove();
  });
  if (problems(table, 1).length) goTo(problems(table, 1)[0]);
  else solve.focus();
}
