// One plan: how the search goes, the chart, and the order that a planner may change.

import * as api from "./api.js";
import { chartPanel } from "./chart.js";
import { drawCourse } from "./course.js";
import { h, s, say, toast } from "./dom.js";
import { exportPanel } from "./export.js";
import { orderList } from "./order.js";
import { boundSentence, count, format, gapSentence, isProven, percent, seconds, stateNames, stateSentence, timeLabel, valueName, valueSentence } from "./words.js";

// The hue of a job, as the chart has it.
const LIGHTNESS = [0.76, 0.84, 0.69];
const colour = (job) => `oklch(${LIGHTNESS[job % 3]} 0.115 ${(job * 137.50776405003785 + 250) % 360})`;

export async function planView(main, id, { signal, open }) {
  const job = await api.job(id);
  if (signal.aborted) return;
  const view = new Plan(job, open);
  main.replaceChildren(view.element);
  await view.adopt(job);
  if (signal.aborted) return;
  signal.addEventListener("abort", () => view.close());
  api.follow(id, (event, data) => view.told(event, data), signal);
}

class Plan {
  constructor(job, open) {
    this.job = job;
    this.open = open;
    this.points = job.progress ?? [];
    this.state = { order: [], names: null, pinned: new Set(), colour };
    this.undo = [];
    this.build();
    this.clock = setInterval(() => this.tick(), 250);
  }

  close() {
    clearInterval(this.clock);
  }

  build() {
    const { job } = this;
    this.badge = h("span", { class: "badge", id: "state" });
    this.sentence = h("p", { class: "lead", id: "sentence" });
    this.facts = {};
    const fact = (key, label) => {
      this.facts[key] = { label: h("dt", {}, label), value: h("dd", { class: "number", id: `fact-${key}` }), why: h("dd", { class: "small" }) };
      return h("div", { class: "fact" }, this.facts[key].label, this.facts[key].value, this.facts[key].why);
    };
    this.course = s("svg", { class: "course", role: "img", "aria-label": "Best value and bound over time" });
    this.progress = h("progress", { max: 1, value: 0, "aria-label": "Time used" });
    this.spent = h("span", { class: "small", id: "spent" });
    this.stopButton = h("button", { type: "button", id: "stop", onclick: () => this.control(() => api.stop(job.id)) }, "Stop");
    this.more = h("select", { id: "more", "aria-label": "How much longer" }, [2, 10, 30, 60, 300].map((value) => h("option", { value, selected: value === 10 }, timeLabel(value))));
    this.goButton = h("button", { type: "button", id: "continue", onclick: () => this.control(() => api.goOn(job.id, +this.more.value)) }, "Go on for");
    this.chart = chartPanel("plan-", "Gantt chart of the plan");
    this.list = orderList(this.state, {
      changed: (order, what) => this.change(order, what),
      pin: (which) => this.pin(which),
      look: (position) => this.chart.mark(position === null ? [] : [position]),
    });
    this.cost = h("p", { class: "cost", id: "cost", role: "status" });
    this.undoButton = h("button", { type: "button", id: "undo", onclick: () => this.takeBack() }, "Undo");
    this.resetButton = h("button", { type: "button", class: "quiet", id: "reset", onclick: () => this.reset() }, "Back to the found order");
    this.saveButton = h("button", { type: "button", id: "save", onclick: () => this.guarded(() => this.save()) }, "Keep this order");
    this.improveButton = h("button", { type: "button", class: "primary", id: "improve", onclick: () => this.guarded(() => this.improve()) }, "Improve from here");
    this.exports = exportPanel({ plan: () => this.kept(), result: () => this.shownResult(), names: () => this.state.names });
    this.element = h("div", { class: "plan" },
      h("div", { class: "title" }, h("h1", {}, job.name || "Plan"), this.badge,
        h("span", { class: "small" }, `${count(job.num_jobs, "job")} on ${count(job.num_machines, "machine")}`)),
      this.sentence,
      h("section", { class: "card search", "aria-label": "The search" },
        h("dl", { class: "facts" }, fact("value", "Total length"), fact("bound", "Lower bound"), fact("gap", "Gap")),
        h("figure", {}, this.course, h("figcaption", { class: "small" }, h("i", { class: "key value" }), " best plan ", h("i", { class: "key bound" }), " bound")),
        h("div", { class: "row controls" }, this.progress, this.spent, this.stopButton, this.goButton, this.more)),
      h("div", { class: "work plan-work" },
        h("div", { class: "left" }, this.chart.element, this.exports.element),
        h("section", { class: "card panel order-panel", "aria-labelledby": "order-title" },
          h("h2", { id: "order-title" }, "The order"),
          h("p", { class: "small" }, "Drag a job, or choose it and use the arrow keys. A pinned job keeps its place."),
          this.list.element, this.cost,
          h("div", { class: "row" }, this.undoButton, this.resetButton),
          h("div", { class: "row" }, this.improveButton, this.saveButton))));
    this.chart.clear("The chart appears with the first plan.");
  }

  // What the server knows of the job, all at once.
  async adopt(job) {
    this.job = job;
    this.points = job.progress ?? this.points;
    this.exports.show(job);
    await this.takeResult(job.result);
    this.draw();
  }

  async takeResult(result) {
    if (!result) return;
    if (result.job_names && !this.state.names) {
      this.state.names = [];
      result.order.forEach((job, position) => { this.state.names[job] = result.job_names[position]; });
    }
    const isSame = this.found && this.found.order.join() === result.order.join();
    this.found = result;
    if (this.isEdited || isSame) return;
    this.state.order = result.order;
    this.list.draw();
    await this.drawChart();
  }

  get isEdited() {
    return this.found !== undefined && this.undo.length > 0 && this.state.order.join() !== this.found.order.join();
  }

  async drawChart() {
    try {
      this.chart.show(await (await api.file(this.job.id, "gantt.json")).json());
    } catch (error) {
      if (error.status !== 422) return;
      const svg = await (await api.file(this.job.id, "gantt.svg")).blob();
      this.chart.picture(svg, "So many operations are drawn together: each column of pixels shows the job that fills most of it.");
    }
  }

  // An event of the server.
  told(event, data) {
    const before = this.job.state;
    Object.assign(this.job, data);
    if (event === "improvement" || event === "bound") {
      this.points.push({ runtime_s: data.runtime_s, value: data.value, bound: data.bound });
      this.since = { at: performance.now(), runtime: data.runtime_s };
    }
    if (event === "state") {
      this.since = { at: performance.now(), runtime: data.runtime_s };
      if (before !== data.state) say(stateSentence(this.job));
    }
    this.draw();
    if (event !== "bound") this.refresh();
  }

  // The best order follows its number, at most twice a second; until then the chart and the list are of an older one.
  refresh() {
    this.wanted = true;
    this.element.ariaBusy = "true";
    if (this.fetching) return;
    this.fetching = (async () => {
      while (this.wanted) {
        this.wanted = false;
        try { await this.adopt(await api.job(this.job.id)); } catch { return; }
        this.element.ariaBusy = String(this.wanted);
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
    })().finally(() => { this.fetching = null; });
  }

  draw() {
    const { job } = this, isOpen = job.state === "queued" || job.state === "running";
    document.title = `${job.name || "Plan"}: ${format(job.value)} – pfss`;
    this.badge.textContent = stateNames[job.state];
    this.badge.className = `badge ${job.state}`;
    this.sentence.textContent = stateSentence(job);
    const { value, bound, gap } = this.facts;
    value.label.textContent = valueName(job.objective);
    value.value.textContent = format(job.value);
    value.why.textContent = job.value === null ? "There is no plan yet." : valueSentence(job.objective, job.value);
    bound.value.textContent = format(job.bound);
    bound.why.textContent = boundSentence(job.bound);
    gap.value.textContent = percent(job.gap);
    gap.why.textContent = gapSentence(job);
    this.stopButton.hidden = !isOpen;
    this.goButton.hidden = this.more.hidden = isOpen || isProven(job);
    this.drawEdit();
    this.tick();
  }

  drawEdit() {
    const has = this.state.order.length > 0;
    this.undoButton.disabled = this.undo.length === 0;
    this.resetButton.hidden = !this.isEdited;
    this.saveButton.hidden = !this.isEdited;
    this.improveButton.disabled = !has || (!this.isEdited && this.job.state === "running") || (isProven(this.job) && !this.isEdited);
    if (!this.isEdited) {
      this.cost.textContent = this.state.pinned.size ? `${count(this.state.pinned.size, "job")} pinned.` : "";
      this.cost.className = "cost";
    }
  }

  tick() {
    const { job } = this, isRunning = job.state === "running";
    const runtime = isRunning && this.since ? this.since.runtime + (performance.now() - this.since.at) / 1000 : job.runtime_s;
    const isDrawn = drawCourse(this.course, this.points, runtime);
    this.course.parentElement.hidden = !isDrawn && job.state !== "running" && job.state !== "queued";
    this.progress.hidden = !isRunning;
    const limit = job.time_limit_s;
    this.progress.value = limit ? Math.min(1, runtime / limit) : 0;
    this.spent.textContent = isRunning && limit ? `${seconds(Math.min(runtime, Math.max(limit, job.runtime_s)))} of ${seconds(limit)}` : `searched for ${seconds(job.runtime_s)}`;
  }

  async control(work) {
    try { await this.adopt(await work()); } catch (error) { toast(error.message); }
  }

  async guarded(work) {
    try { await work(); } catch (error) { toast(error.message); }
  }

  // ---- changes by hand ----

  change(order, what) {
    this.undo.push([...this.state.order]);
    this.state.order = order;
    this.price(what);
  }

  pin(which) {
    if (!this.state.pinned.delete(which)) this.state.pinned.add(which);
    this.drawEdit();
  }

  takeBack() {
    const before = this.undo.pop();
    if (!before) return;
    this.state.order = before;
    this.list.draw();
    this.price("Taken back");
  }

  reset() {
    this.undo.push([...this.state.order]);
    this.state.order = this.found.order;
    this.list.draw();
    this.price("Back to the found order");
  }

  // What the order costs, at once; an answer that comes too late is not shown.
  async price(what) {
    this.drawEdit();
    this.pricing?.abort();
    this.pricing = new AbortController();
    const size = this.job.num_jobs * this.job.num_machines;
    try {
      const question = { job: this.job.id, order: this.state.order, schedule: false, chart: size <= 1e6 };
      const answer = await api.evaluate(question, this.pricing.signal);
      const more = answer.value - this.job.value;
      const words = more > 0 ? `${format(more)} more than the found order` : more < 0 ? `${format(-more)} less than the found order` : "as good as the found order";
      this.edited = answer;
      if (answer.chart) this.chart.show(answer.chart);
      this.cost.textContent = this.isEdited ? `${valueName(answer.objective)} ${format(answer.value)}: ${words}.` : "";
      this.cost.className = "cost " + (more > 0 ? "worse" : more < 0 ? "better" : "");
      say(`${what}. ${valueName(answer.objective)} ${format(answer.value)}, ${words}.`);
    } catch (error) {
      if (error.name !== "AbortError") this.cost.textContent = error.message;
    }
    this.drawEdit();
  }

  shownResult() {
    return this.found && { ...this.found, order: this.state.order };
  }

  // A plan of its own whose every job is pinned: exactly this order.
  async save() {
    const { order } = this.state;
    const { id } = await api.submitFrom(this.job, { start: order, pinned: order, time_limit: 1 });
    this.open(id);
    return id;
  }

  async improve() {
    const { order, pinned } = this.state;
    const options = { start: order, time_limit: +this.more.value };
    if (pinned.size) options.pinned = [...pinned];
    const { id } = await api.submitFrom(this.job, options);
    this.open(id);
  }

  // The job that exports are taken of.
  async kept() {
    if (!this.isEdited) return api.job(this.job.id);
    toast("You changed the order: it is kept as a plan of its own first.");
    const id = await this.save();
    for (;;) {
      const job = await api.job(id);
      if (job.result && job.state !== "running") return job;
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
  }
}
