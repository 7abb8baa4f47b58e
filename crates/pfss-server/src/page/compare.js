// Two plans side by side, on one scale of time.

import * as api from "./api.js";
import { chartPanel } from "./chart.js";
import { h } from "./dom.js";
import { count, format, percent, stateNames, valueName } from "./words.js";

export async function compareView(main, ids) {
  const jobs = await Promise.all(ids.map((id) => api.job(id)));
  const charts = await Promise.all(ids.map((id) => api.file(id, "gantt.json").then((answer) => answer.json()).catch(() => null)));
  // One scale shows which is longer, unless the shorter one would hardly be seen.
  const lengths = charts.map((chart) => chart?.makespan ?? 0);
  const horizon = Math.max(...lengths) < 3 * Math.min(...lengths) ? Math.max(...lengths) : 0;
  const side = (job, index) => h("section", { class: "side", "aria-label": `Plan ${index + 1}` },
    h("h2", {}, h("a", { href: `#/plan/${job.id}` }, job.name || "plan"), " ", h("span", { class: `badge ${job.state}` }, stateNames[job.state])),
    h("dl", { class: "facts" }, [[valueName(job.objective), format(job.value)], ["Gap", percent(job.gap)], ["Searched", job.options.algorithm]].map(([name, value]) =>
      h("div", { class: "fact" }, h("dt", {}, name), h("dd", { class: "number" }, value)))));
  const panels = jobs.map((_, index) => chartPanel(index === 0 ? "left-" : "right-", `Gantt chart of plan ${index + 1}`));
  main.replaceChildren(h("h1", {}, "Two plans"), h("p", { class: "lead", id: "difference" }, difference(jobs)),
    h("div", { class: "sides" }, jobs.map((job, index) => {
      const element = side(job, index);
      element.append(panels[index].element);
      return element;
    })));
  charts.forEach((data, index) => (data ? panels[index].show({ ...data, horizon }) : panels[index].clear("This plan cannot be drawn.")));
}

// How two plans differ, in a sentence.
function difference([a, b]) {
  if (a.value === null || b.value === null) return "One of them has no plan yet.";
  const [one, two] = [a.result, b.result].map((result) => result.job_names ?? result.order);
  if ([...one].sort().join() !== [...two].sort().join()) return "They are plans of different jobs, so their values cannot be compared.";
  const gap = Math.abs(a.value - b.value);
  const better = a.objective !== b.objective ? "They aim at different things, so their values cannot be compared."
    : gap === 0 ? `Both have the value ${format(a.value)}.`
    : `The ${a.value < b.value ? "first" : "second"} is better by ${format(gap)} (${percent(gap / Math.max(a.value, b.value))}).`;
  const others = one.filter((job, place) => job !== two[place]).length;
  return `${better} ${others === 0 ? "The order is the same." : `${count(others, "job")} ${others === 1 ? "is" : "are"} at another place.`}`;
}
