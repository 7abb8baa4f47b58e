// The Gantt chart of `pfss-render`, in a part of the page.

import { ganttBody, ganttChart } from "./gantt.js";
import { h } from "./dom.js";

// An empty chart whose elements have ids of their own; `show(data)` draws, `picture(blob)` shows what is too large to draw.
export function chartPanel(prefix, title) {
  const element = h("section", { class: "card chart-card", "aria-label": title });
  let chart = null;
  return {
    element,
    show(data) {
      if (chart) return chart.update(data);
      const parsed = new DOMParser().parseFromString(ganttBody, "text/html");
      for (const part of parsed.querySelectorAll("[id]")) part.id = prefix + part.id;
      for (const part of parsed.querySelectorAll("[aria-describedby]")) part.setAttribute("aria-describedby", prefix + part.getAttribute("aria-describedby"));
      parsed.querySelectorAll("noscript").forEach((part) => part.remove());
      element.replaceChildren(...(parsed.querySelector("main") ?? parsed.body).children);
      chart = ganttChart(data, prefix);
    },
    picture(blob, text) {
      chart = null;
      element.replaceChildren(h("p", { class: "small" }, text), h("div", { class: "picture", tabindex: 0 }, h("img", { src: URL.createObjectURL(blob), alt: title })));
    },
    mark(positions) { chart?.mark(positions); },
    clear(text) { chart = null; element.replaceChildren(h("p", { class: "empty" }, text)); },
  };
}
