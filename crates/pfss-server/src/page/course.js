// How value and bound came together: two step lines over time.

import { s } from "./dom.js";
import { format, seconds } from "./words.js";

const WIDTH = 360, HEIGHT = 130, LEFT = 8, RIGHT = 8, TOP = 12, BOTTOM = 22;

export function drawCourse(svg, points, end) {
  svg.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
  const values = points.filter((point) => point.value !== null);
  if (!values.length) {
    svg.replaceChildren(s("text", { x: WIDTH / 2, y: HEIGHT / 2, class: "course-empty" }, "no plan yet"));
    return false;
  }
  if (values.every((point) => point.value === values[0].value) && (end ?? 0) < 0.5) {
    svg.replaceChildren(s("text", { x: WIDTH / 2, y: HEIGHT / 2, class: "course-empty" }, "found at once"));
    return false;
  }
  const bounds = points.filter((point) => point.bound);
  const last = Math.max(end ?? 0, points.at(-1).runtime_s, 0.001);
  // Early values may be far away; the picture shows where it is decided.
  const best = values.at(-1).value, top = bounds.at(-1)?.bound ?? best;
  const low = Math.min(best, top);
  const spread = Math.max(best - low, 0.002 * Math.abs(best), 1e-9);
  const high = Math.min(Math.max(...values.map((point) => point.value)), low + 6 * spread + 0.02 * Math.abs(best));
  const x = (time) => LEFT + (Math.min(time, last) / last) * (WIDTH - LEFT - RIGHT);
  const y = (value) => TOP + (1 - Math.max(0, Math.min(1.04, (value - low) / Math.max(high - low, 1e-9)))) * (HEIGHT - TOP - BOTTOM);
  const steps = (list, key) => {
    let path = "";
    list.forEach((point, index) => {
      const to = [x(point.runtime_s).toFixed(1), y(point[key]).toFixed(1)];
      path += index === 0 ? `M${to[0]} ${to[1]}` : `H${to[0]}V${to[1]}`;
    });
    return path + `H${x(last).toFixed(1)}`;
  };
  const parts = [s("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: HEIGHT - BOTTOM + 4, y2: HEIGHT - BOTTOM + 4, class: "course-axis" })];
  if (bounds.length) parts.push(s("path", { d: steps(bounds, "bound"), class: "course-bound" }));
  parts.push(s("path", { d: steps(values, "value"), class: "course-value" }));
  parts.push(s("circle", { cx: x(values.at(-1).runtime_s), cy: y(best), r: 3.5, class: "course-dot" }));
  parts.push(s("text", { x: LEFT, y: HEIGHT - 4, class: "course-text" }, "0"));
  parts.push(s("text", { x: WIDTH - RIGHT, y: HEIGHT - 4, class: "course-text end" }, seconds(last)));
  svg.replaceChildren(...parts);
  svg.setAttribute("aria-label", `Best value ${format(best)}, bound ${format(bounds.at(-1)?.bound ?? null)}, after ${seconds(last)}`);
  return true;
}
