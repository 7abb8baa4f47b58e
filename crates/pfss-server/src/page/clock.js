// When a plan begins and how long a unit is, for tables with dates or times of day.

import { h } from "./dom.js";

const UNITS = [["s", "seconds"], ["min", "minutes"], ["h", "hours"], ["d", "days"]];

// Fields for `clock` ({ start, unit }), which they change; `changed` is told.
export function clockFields(clock, changed) {
  clock.unit ||= "min";
  const start = h("input", { type: "datetime-local", id: "start-at", value: clock.start ?? "", oninput: () => { clock.start = start.value; changed(); } });
  const unit = h("select", { id: "unit", onchange: () => { clock.unit = unit.value; changed(); } },
    UNITS.map(([value, label]) => h("option", { value, selected: value === clock.unit }, label)));
  return h("div", { class: "clock" },
    h("p", { class: "small" }, "There are dates or times of day in the table, so the plan needs a beginning."),
    h("label", { for: "start-at" }, "The plan begins"), start,
    h("label", { for: "unit" }, "Times are in"), unit);
}

// The options of a job that say it.
export const clockOptions = (clock) => (clock?.start ? { start_at: clock.start, unit: clock.unit } : {});
