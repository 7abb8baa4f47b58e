// Numbers and what they mean, in plain words.

export function format(value) {
  if (value === null || value === undefined) return "–";
  if (Number.isInteger(value)) return value.toLocaleString("en-US");
  return Number(value.toPrecision(6)).toLocaleString("en-US", { maximumFractionDigits: 4 });
}

export function percent(gap) {
  if (gap === null || gap === undefined) return "–";
  if (gap === 0) return "0 %";
  return gap < 0.0001 ? "< 0.01 %" : (100 * gap).toFixed(gap < 0.1 ? 2 : 1) + " %";
}

export function seconds(value) {
  if (value < 0.05) return "less than 0.1 s";
  if (value < 9.95) return value.toFixed(1) + " s";
  if (value < 120) return Math.round(value) + " s";
  return Math.floor(value / 60) + " min " + String(Math.round(value % 60)).padStart(2, "0") + " s";
}

export function count(number, noun) {
  return `${number.toLocaleString("en-US")} ${noun}${number === 1 ? "" : "s"}`;
}

export function when(milliseconds) {
  const date = new Date(milliseconds), now = new Date();
  const time = date.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  if (date.toDateString() === now.toDateString()) return "today, " + time;
  return date.toLocaleDateString([], { day: "numeric", month: "short", year: "numeric" }) + ", " + time;
}

// What is minimised: a name, what a value is called, and a sentence for it.
const objectives = {
  makespan: ["Total length", (value) => `The last job is done after ${value} units of time.`],
  "total-completion": ["Sum of completion times", (value) => `The times at which jobs are done add up to ${value}.`],
  "total-tardiness": ["Total lateness", (value) => `Late jobs are late by ${value} units of time, all together.`],
  "max-lateness": ["Greatest lateness", (value) => `The latest job is done ${value} units of time after its due date.`],
  "late-jobs": ["Late jobs", (value) => `${value} jobs (by weight) are done after their due dates.`],
};
const first = (objective) => (objective ?? "makespan").split(",")[0];
export const objectiveNames = Object.fromEntries(Object.entries(objectives).map(([key, [name]]) => [key, name]));
export const objectiveName = (objective) =>
  objective.split(",").map((key, index) => (index ? objectiveNames[key]?.toLowerCase() : objectiveNames[key]) ?? key).join(", then ");
export const valueName = (objective) => objectives[first(objective)]?.[0] ?? "Value";
export const valueSentence = (objective, value) => objectives[first(objective)]?.[1](format(value)) ?? "";

export function boundSentence(bound) {
  if (bound === null || bound === undefined) return "How good a plan can be at best is not known yet.";
  return `No order at all can be better than ${format(bound)}. This is proven.`;
}

// Whether the search has proven that no order is better. A gap of zero does not say so: it is that of the first objective.
export const isProven = (job) => job.status === "optimal";

export function gapSentence(job) {
  const { gap, state, value } = job;
  if (isProven(job)) return "This plan is proven to be the best there is.";
  if (gap === null || gap === undefined) {
    return value === null ? "It appears with the first plan." : "The bound is zero, so there is no share of it. Every unit above it may be too much.";
  }
  if (gap === 0) {
    const [most, ...rest] = job.objective.split(",").map((key) => objectiveNames[key]?.toLowerCase() ?? key);
    return `No plan can be better in ${most}.` + (rest.length ? ` In ${rest.join(" and ")} one may still be.` : "");
  }
  const more = state === "running" ? " It can only shrink." : "";
  return `A better plan, if there is one, is at most this much better.${more}`;
}

export const stateNames = { queued: "waiting", running: "searching", done: "done", stopped: "stopped", failed: "failed" };

export function stateSentence(job) {
  switch (job.state) {
    case "queued": return "Waiting for its turn: other plans are being searched for.";
    case "running": return job.value === null ? "Looking for a first plan …" : "Looking for a better plan. You can stop at any time.";
    case "done": return isProven(job) ? "Done: no order is better." : "The time is over. You can go on from here.";
    case "stopped": return job.value === null ? "Stopped before there was a plan." : "Stopped. You can go on from here.";
    default: return job.message ?? "It failed.";
  }
}

// The command-line form of a length of time.
export function timeLabel(value) {
  return value >= 60 ? `${value / 60} min` : `${value} s`;
}
