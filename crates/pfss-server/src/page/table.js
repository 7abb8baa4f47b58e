// Jobs, machines and times as a table that may still be wrong, and what is wrong with it.

// Columns of these names say something about a job beside its times.
const attributes = new Set(["release", "due", "weight", "family"]);
export const isAttribute = (column) => attributes.has(column.trim().toLowerCase());

export function emptyTable(jobs = 3, machines = 3) {
  return {
    name: "",
    columns: Array.from({ length: machines }, (_, index) => `Machine ${index + 1}`),
    rows: Array.from({ length: jobs }, (_, index) => ({ name: `Job ${index + 1}`, cells: Array(machines).fill("") })),
  };
}

// The rows of a text: cells separated by tabs, semicolons or commas, quoted where needed.
export function parseCells(text) {
  const clean = text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  const head = clean.slice(0, clean.indexOf("\n") < 0 ? clean.length : clean.indexOf("\n"));
  const separator = head.includes("\t") ? "\t" : head.includes(";") ? ";" : ",";
  const rows = [];
  let row = [], cell = "", quoted = false;
  for (let at = 0; at < clean.length; at++) {
    const c = clean[at];
    if (quoted) {
      if (c === '"' && clean[at + 1] === '"') { cell += '"'; at++; }
      else if (c === '"') quoted = false;
      else cell += c;
    } else if (c === '"' && cell.trim() === "") { quoted = true; cell = ""; }
    else if (c === separator) { row.push(cell.trim()); cell = ""; }
    else if (c === "\n") { row.push(cell.trim()); rows.push(row); row = []; cell = ""; }
    else cell += c;
  }
  if (cell !== "" || row.length) { row.push(cell.trim()); rows.push(row); }
  return rows.filter((cells) => cells.some((content) => content !== ""));
}

const looksLikeNumber = (cell) => /^[-+]?\d+([.,]\d+)?$/.test(cell);

// A table from rows of cells: with or without a row of machines' names and a column of jobs' names.
export function tableOf(rows, name) {
  if (!rows.length) return { ...emptyTable(), name };
  const width = Math.max(...rows.map((row) => row.length));
  const padded = rows.map((row) => [...row, ...Array(width - row.length).fill("")]);
  const body = padded.length > 1 ? padded.slice(1) : padded;
  const words = (cells) => cells.filter((cell) => cell !== "" && !looksLikeNumber(cell)).length;
  const hasHead = padded.length > 1 && words(padded[0].slice(1)) > 0;
  const hasNames = width > 1 && (words(body.map((row) => row[0])) > 0 || (hasHead && /^(job|jobs|name|part|product|order|no|nr|id|#)?$/i.test(padded[0][0])));
  const from = hasNames ? 1 : 0;
  const columns = hasHead ? padded[0].slice(from) : padded[0].slice(from).map((_, index) => `Machine ${index + 1}`);
  return {
    name,
    columns: columns.map((column, index) => column || `Machine ${index + 1}`),
    rows: (hasHead ? padded.slice(1) : padded).map((row, index) => ({
      name: hasNames ? row[0] : `Job ${index + 1}`,
      cells: row.slice(from),
    })),
  };
}

// A date or a time of day: 2026-11-16, 16.11.2026, 06:00, or a date and a time.
const DATE = /^(\d{4}-\d{1,2}-\d{1,2}|\d{1,2}\.\d{1,2}\.\d{4})$/, TIME = /^\d{1,2}:\d{1,2}(:\d{1,2})?$/;
export function isMoment(text) {
  if (typeof text !== "string") return false;
  const [date, time, ...rest] = text.trim().split(/[T\s]+/i);
  return time === undefined ? DATE.test(date) || TIME.test(date) : DATE.test(date) && TIME.test(time) && !rest.length;
}

// What is wrong with a cell, or null. The words are those of the command line.
export function cellProblem(cell, column) {
  const text = cell.trim();
  if (isAttribute(column)) return attributeProblem(text, column.trim().toLowerCase());
  if (text === "") return "A number is missing: every job needs a time on every machine (0 when it skips one).";
  if (/^-/.test(text) && looksLikeNumber(text)) return `Found “${text}”, but a processing time cannot be negative.`;
  if (!looksLikeNumber(text)) return `Found “${text}”, expected a number.`;
  return null;
}

function attributeProblem(text, name) {
  if (text === "" || name === "family" || looksLikeNumber(text) && (name === "due" || !text.startsWith("-"))) return null;
  if (looksLikeNumber(text)) return `Found “${text}”, but a ${name} cannot be negative.`;
  if (name === "weight") return `Found “${text}”, expected a number.`;
  return isMoment(text) ? null : `Found “${text}”, expected a number, a date such as 2026-11-16T14:30 or a time of day such as 14:30.`;
}

// All wrong cells as [row, column, reason], at most `limit`.
export function problems(table, limit = 1000) {
  const found = [];
  table.rows.forEach((row, r) => {
    if (found.length >= limit) return;
    table.columns.forEach((column, c) => {
      const reason = cellProblem(row.cells[c] ?? "", column);
      if (reason && found.length < limit) found.push([r, c, reason]);
    });
  });
  return found;
}

const quote = (cell) => (/[",;\t\n]/.test(cell) || cell === "" ? '"' + cell.replaceAll('"', '""') + '"' : cell);

// The table as the CSV that the server and the command line read.
export function toCsv(table) {
  const head = ["job", ...table.columns.map((column, index) => quote(column || `M${index + 1}`))].join(",");
  const number = (cell) => (looksLikeNumber(cell.trim()) ? cell.trim().replace(",", ".") : cell.trim() && quote(cell.trim()));
  const rows = table.rows.map((row, index) =>
    [quote(row.name || String(index + 1)), ...table.columns.map((_, c) => number(row.cells[c] ?? ""))].join(","));
  return [head, ...rows].join("\n") + "\n";
}
