// What an instance says beyond the columns of the table: breaks, set-ups, buffers, jobs that come first. The table keeps it
// beside its columns and rows, so that it follows them when some are removed.

import { isAttribute, isMoment } from "./table.js";

const ATTRIBUTES = ["release", "due", "weight", "family"];

// The table of a `pfss.instance` document, with its rules; null where it is no such document.
export function tableOfInstance(document, name) {
  const jobs = document.jobs ?? document.times?.map?.((times, index) => ({ times, name: document.job_names?.[index] }));
  if (!Array.isArray(jobs) || !jobs.length || !jobs.every((job) => Array.isArray(job?.times))) return null;
  const width = Math.max(...jobs.map((job) => job.times.length));
  const machines = document.machines ?? [];
  const used = ATTRIBUTES.filter((key) => jobs.some((job) => job[key] !== undefined && job[key] !== null));
  const places = new Map(jobs.map((job, index) => [job.name, index]));
  const place = (job) => (typeof job === "number" ? job : places.get(job));
  const text = (value) => (value === undefined || value === null ? "" : String(value));
  return {
    name: document.name || name,
    columns: [...Array.from({ length: width }, (_, index) => machines[index]?.name ?? document.machine_names?.[index] ?? `Machine ${index + 1}`), ...used],
    rows: jobs.map((job, index) => ({
      name: job.name ?? `Job ${index + 1}`, key: index,
      cells: [...Array.from({ length: width }, (_, machine) => text(job.times[machine])), ...used.map((key) => text(job[key]))],
    })),
    // One for each column: what its machine carries.
    machineRules: Array.from({ length: width + used.length }, (_, index) => {
      const { name: _name, ...rules } = machines[index] ?? {};
      return rules;
    }),
    first: (document.first ?? []).map(place),
    precedence: (document.precedence ?? []).map((pair) => pair.map(place)),
    objective: [document.objective ?? []].flat().join(","),
  };
}

const rulesOf = (table, column) => Object.keys(table.machineRules?.[column] ?? {}).length > 0;

export const hasRules = (table) =>
  Boolean(table.first?.length || table.precedence?.length || table.columns.some((_, column) => rulesOf(table, column)));

// The table and its rules as `pfss.instance/2`.
export function instanceOfTable(table) {
  const machines = table.columns.map((_, column) => column).filter((column) => !isAttribute(table.columns[column]));
  const others = table.columns.map((_, column) => column).filter((column) => isAttribute(table.columns[column]));
  const places = new Map(table.rows.map((row, place) => [row.key, place]));
  const number = (cell) => (/^[-+]?\d+([.,]\d+)?$/.test(cell) ? Number(cell.replace(",", ".")) : cell);
  const known = (key) => places.has(key);
  return {
    schema: "pfss.instance/2",
    name: table.name,
    jobs: table.rows.map((row, index) => ({
      name: row.name || String(index + 1),
      times: machines.map((column) => number((row.cells[column] ?? "").trim())),
      ...Object.fromEntries(others.map((column) => [table.columns[column].trim().toLowerCase(), (row.cells[column] ?? "").trim()])
        .filter(([, cell]) => cell !== "").map(([key, cell]) => [key, key === "family" ? cell : number(cell)])),
    })),
    machines: machines.map((column) => ({ name: table.columns[column], ...table.machineRules?.[column] })),
    first: (table.first ?? []).filter(known).map((key) => places.get(key)),
    precedence: (table.precedence ?? []).filter((pair) => pair.every(known)).map((pair) => pair.map((key) => places.get(key))),
  };
}

// Every rule in words, with the way to take it out.
export function ruleList(table) {
  const list = [];
  const rule = (text, remove) => list.push({ text, remove });
  const called = (key) => table.rows.find((row) => row.key === key)?.name;
  table.columns.forEach((name, column) => {
    const rules = table.machineRules?.[column] ?? {};
    const without = (...keys) => () => keys.forEach((key) => delete rules[key]);
    if (rules.available_from) rule(`${name} is free from ${rules.available_from} on.`, without("available_from"));
    if (rules.breaks?.length) {
      const how = rules.resume === false ? "a job that does not fit before one waits" : "a job that meets one goes on after it";
      rule(`${name} stands still ${rules.breaks.map(([from, to]) => `from ${from} to ${to}`).join(", ")}: ${how}.`, without("breaks", "resume"));
    }
    if (rules.setup?.length) rule(`${name} has ${rules.setup.length === 1 ? "a set-up time" : `${rules.setup.length} set-up times`} between families.`, without("setup"));
    if (rules.buffer === 0) rule(`A job stays on ${name} until the next machine is free.`, without("buffer"));
    else if (rules.buffer > 0) rule(`${rules.buffer === 1 ? "One job fits" : `${rules.buffer} jobs fit`} behind ${name}.`, without("buffer"));
    if (rules.no_wait) rule(`Jobs go on from ${name} at once.`, without("no_wait"));
  });
  const first = (table.first ?? []).map(called).filter(Boolean);
  if (first.length) rule(`First: ${first.join(", ")}.`, () => { table.first = []; });
  (table.precedence ?? []).forEach((pair) => {
    const [before, after] = pair.map(called);
    if (before !== undefined && after !== undefined) {
      rule(`${before} comes before ${after}.`, () => { table.precedence = table.precedence.filter((other) => other !== pair); });
    }
  });
  return list;
}

// Whether dates or times of day are used, which need a clock.
export function needsClock(table) {
  const moments = table.columns.map((_, column) => column).filter((column) => /^(release|due)$/i.test(table.columns[column].trim()));
  return table.rows.some((row) => moments.some((column) => isMoment(row.cells[column])))
    || (table.machineRules ?? []).some((rules) => isMoment(rules.available_from) || (rules.breaks ?? []).flat().some(isMoment));
}
