// A plan as files, and as a command line.

import * as api from "./api.js";
import { download, h, toast } from "./dom.js";

const FILES = [
  ["schedule.csv", "Schedule (CSV)", "when each job starts and ends on each machine"],
  ["schedule.xlsx", "Schedule (Excel)", "the same, with the order and a summary"],
  ["gantt.svg", "Chart (SVG)", "a picture for documents"],
  ["gantt.html", "Chart (HTML)", "one file that anybody can open, zoom and search"],
  ["schedule.json", "Schedule (JSON)", "for programs"],
  ["instance.json", "Jobs and times (JSON)", "what the command line reads"],
];

// `plan()` gives the job to take files of; it saves an order that was changed by hand first.
export function exportPanel({ plan, result, names }) {
  const file = (name) => `${(result()?.instance || "plan").replace(/[^\w.-]+/g, "-")}-${name}`;
  const guarded = (work) => async () => {
    try { await work(); } catch (error) { toast(error.message); }
  };
  const one = (label, hint, work, id) =>
    h("li", {}, h("button", { type: "button", "data-export": id, onclick: guarded(work) }, label), h("small", {}, hint));
  const text = () => result().order.map((job) => names()?.[job] ?? String(job)).join("\n") + "\n";
  const command = h("code", { id: "command", tabindex: 0 });
  const element = h("details", { class: "card exports" },
    h("summary", {}, "Take it with you"),
    h("ul", { class: "files" },
      one("Order", "the jobs, one per line", async () => { await plan(); download(file("order.txt"), new Blob([text()], { type: "text/plain" })); }, "order.txt"),
      FILES.map(([name, label, hint]) => one(label, hint, async () => download(file(name), await (await api.file((await plan()).id, name)).blob()), name)),
      one("Chart (PNG)", "a picture for mails and slides", async () => download(file("gantt.png"), await picture(await (await api.file((await plan()).id, "gantt.svg")).blob())), "gantt.png"),
      one("Result (JSON)", "the record of the command line, pfss.result/1", async () => download(file("result.json"), new Blob([JSON.stringify((await plan()).result, null, 1)], { type: "application/json" })), "result.json")),
    h("div", { class: "command" },
      h("p", { class: "small", id: "command-label" }, "The same search on the command line, from the jobs and times above:"),
      h("pre", { "aria-labelledby": "command-label" }, command),
      h("button", { type: "button", onclick: guarded(async () => { await navigator.clipboard.writeText(command.textContent); toast("Copied."); }) }, "Copy")));
  return {
    element,
    show(job) {
      command.textContent = job.command ?? "";
      element.querySelector(".command").hidden = !job.command;
    },
  };
}

// An SVG as a PNG, twice as fine as on the screen.
async function picture(svg) {
  const url = URL.createObjectURL(svg);
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = h("canvas", { width: 2 * (image.naturalWidth || 1200), height: 2 * (image.naturalHeight || 700) });
    const pen = canvas.getContext("2d");
    pen.fillStyle = "#fff";
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  } finally {
    URL.revokeObjectURL(url);
  }
}
