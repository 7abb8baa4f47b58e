"use strict";
// Draws a schedule into the elements whose ids begin with `prefix`; `update` shows another one in their place.
function ganttChart(data, prefix = "") {
  const element = (id) => document.getElementById(prefix + id);
  const canvas = element("canvas"), chart = element("chart"), tip = element("tip"), live = element("live");
  const search = element("search"), found = element("found"), critical = element("critical");
  const pen = canvas.getContext("2d");
  let { machines, jobs, starts, durations, makespan, bound } = data;
  let numMachines = machines.length, numJobs = jobs.length;
  // What a plan has beyond times: set-ups, breaks, blocked machines, due dates, a clock.
  let plan = data.plan ?? null;
  let horizon = Math.max(makespan, bound ?? 0, plan?.horizon ?? 0, data.horizon ?? 0) || 1;
  const font = getComputedStyle(document.body).fontFamily;
  const colour = (position) => data.colours.slice(7 * position, 7 * position + 7);
  const end = (machine, position) => starts[machine][position] + durations[machine][position];
  const jobText = (position) => (data.named ? jobs[position] : "job " + jobs[position]);

  // What is shown: a stretch of time, a selected operation, the jobs that a search or a click marks.
  const view = { from: 0, to: horizon };
  let selected = null, marked = null, matches = [], place = {}, colours = {}, queued = false;

  function format(value) {
    if (Number.isInteger(value) && Math.abs(value) < 1e15) return String(value);
    const size = Math.abs(value);
    if (size < 1e-4 || size >= 1e15) return String(Number(value.toPrecision(4)));
    return String(Number(value.toPrecision(6)));
  }

  // A point in time: a date where there is a clock.
  function when(time) {
    if (!plan?.clock) return format(time);
    const date = new Date(Date.parse(plan.clock.start + "Z") + Math.round(time * plan.clock.unit) * 1000);
    return Number.isNaN(date.getTime()) ? format(time) : date.toISOString().slice(0, 16).replace("T", " ");
  }

  const lateness = (position) => {
    const due = plan?.due?.[position] ?? null;
    return due === null ? null : end(numMachines - 1, position) - due;
  };
  const isLate = (position) => (lateness(position) ?? 0) > 1e-9 * horizon;

  // ---- layout ----

  function readColours() {
    const style = getComputedStyle(document.documentElement);
    for (const name of ["page", "ink", "soft", "ground", "grid", "axis", "critical", "makespan", "bound", "focus", "break", "closed"]) {
      colours[name] = style.getPropertyValue("--" + name).trim();
    }
  }

  function fit(text, limit) {
    if (pen.measureText(text).width <= limit) return text;
    const letters = Array.from(text);
    while (letters.length > 1 && pen.measureText(letters.join("") + "…").width > limit) letters.pop();
    return letters.join("") + "…";
  }

  function arrange() {
    const width = chart.clientWidth || 800;
    pen.font = "13px " + font;
    let names = 0;
    for (const machine of machines) names = Math.max(names, pen.measureText(machine).width);
    pen.font = "10px " + font;
    for (const gap of plan?.gaps ?? []) names = Math.max(names, gap ? pen.measureText(gap).width : 0);
    const left = Math.ceil(Math.min(names, 0.25 * width, 190)) + 12;
    const top = bound === null ? 26 : 44;
    const room = window.innerHeight - 290;
    const pitch = Math.round(Math.max(8, Math.min(40, room / numMachines)));
    const bottom = top + pitch * numMachines;
    const axis = bottom + (plan?.due ? 24 : 0);
    const height = axis + 52;
    place = { width, left, right: width - 14, top, bottom, axis, pitch, bar: Math.round(0.82 * pitch), height };
    const scale = window.devicePixelRatio || 1;
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    canvas.style.height = height + "px";
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    // A new size empties the canvas: fill it before the next frame is shown.
    draw();
  }

  const toX = (time) => place.left + ((time - view.from) / (view.to - view.from)) * (place.right - place.left);
  const toTime = (x) => view.from + ((x - place.left) / (place.right - place.left)) * (view.to - view.from);
  const toRow = (machine) => place.top + place.pitch * machine + (place.pitch - place.bar) / 2;

  // The first operation of a row, from a position on, that ends after a time.
  function firstAfter(machine, time, from = 0) {
    // Most often it is near: gallop there first.
    let low = from, high = from + 1;
    while (high < numJobs && end(machine, high) <= time) { low = high; high += high - from; }
    high = Math.min(high, numJobs);
    while (low < high) {
      const middle = (low + high) >> 1;
      if (end(machine, middle) > time) high = middle; else low = middle + 1;
    }
    return low;
  }

  // ---- drawing ----

  function request() {
    if (!queued) {
      queued = true;
      requestAnimationFrame(() => { queued = false; draw(); });
    }
  }

  function draw() {
    pen.clearRect(0, 0, place.width, place.height);
    drawGround();
    pen.save();
    pen.beginPath();
    pen.rect(place.left, 0, place.right - place.left + 1, place.height);
    pen.clip();
    for (let machine = 0; machine < numMachines; machine++) drawRow(machine);
    if (critical.checked) drawCritical();
    if (bound !== null) drawLine(bound, colours.bound, [5, 3], 22);
    drawLine(makespan, colours.makespan, [], 4);
    if (plan?.due) drawDue();
    drawSelected();
    pen.restore();
    drawMark(makespan, "makespan", colours.makespan, 14);
    if (bound !== null) drawMark(bound, "lower bound", colours.bound, 32);
    drawWindow();
  }

  function drawGround() {
    const { left, right, top, axis, pitch, bar } = place;
    pen.textBaseline = "middle";
    pen.textAlign = "right";
    const stride = Math.max(1, Math.ceil(14 / pitch));
    for (let machine = 0; machine < numMachines; machine++) {
      const y = toRow(machine);
      pen.fillStyle = colours.ground;
      pen.fillRect(left, y, right - left, bar);
      if (machine % stride === 0) {
        pen.font = (pitch < 14 ? "11px " : "13px ") + font;
        pen.fillStyle = colours.ink;
        pen.fillText(fit(machines[machine], left - 12), left - 10, y + bar / 2 + 1);
      }
      if (plan?.gaps[machine] && pitch >= 30) {
        pen.font = "10px " + font;
        pen.fillStyle = colours.soft;
        pen.fillText(plan.gaps[machine], left - 10, y + bar + 1);
      }
    }
    pen.font = "12px " + font;
    if (plan?.due) {
      pen.fillStyle = colours.soft;
      pen.fillText("due", left - 10, place.bottom + 13);
    }
    pen.textAlign = "center";
    pen.lineWidth = 1;
    for (const [time, label] of plan?.clock ? clockTicks() : ticks()) {
      const x = Math.round(toX(time)) + 0.5;
      pen.strokeStyle = colours.grid;
      pen.beginPath(); pen.moveTo(x, top); pen.lineTo(x, axis + 6); pen.stroke();
      pen.fillStyle = colours.soft;
      // The last label stays on the canvas.
      pen.fillText(label, Math.min(x, place.width - pen.measureText(label).width / 2 - 1), axis + 17);
    }
    pen.strokeStyle = colours.axis;
    pen.beginPath(); pen.moveTo(left, axis + 1.5); pen.lineTo(right, axis + 1.5); pen.stroke();
    pen.fillText(plan?.clock ? when(Math.max(0, view.from)).slice(0, 10) : "time", (left + right) / 2, axis + 36);
  }

  function ticks() {
    const target = Math.max(2, Math.floor((place.right - place.left) / 90));
    const raw = (view.to - view.from) / target;
    let power = Math.floor(Math.log10(raw));
    let digit = raw / 10 ** power;
    digit = digit <= 1.000001 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10;
    let step = digit * 10 ** power;
    if (data.integer && step < 1) { step = 1; power = 0; }
    const result = [];
    if (!(step > 0)) return result;
    const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
    for (let k = Math.ceil(view.from / step); k * step <= view.to && result.length < 200; k++) {
      const time = k * step;
      result.push([time, decimals > 6 || Math.abs(time) >= 1e10 ? format(time) : time.toFixed(decimals)]);
    }
    return result;
  }

  // Ticks at round times of day.
  function clockTicks() {
    const unit = plan.clock.unit, target = Math.max(2, Math.floor((place.right - place.left) / 90));
    const raw = ((view.to - view.from) * unit) / target;
    const steps = [1, 5, 10, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800];
    const step = steps.find((step) => step >= raw) ?? Math.ceil(raw / 604800) * 604800;
    const offset = (Date.parse(plan.clock.start + "Z") / 1000) % 86400;
    const result = [];
    let at = Math.ceil((view.from * unit + offset) / step) * step - offset;
    for (; at <= view.to * unit && result.length < 200; at += step) {
      const text = when(at / unit);
      result.push([at / unit, step >= 86400 ? text.slice(5, 10) : text.slice(11)]);
    }
    return result;
  }

  // The stretches in view, one for all that end within the same half pixel.
  function* apart(stretches) {
    const half = (0.5 * (view.to - view.from)) / (place.right - place.left);
    let reach = -Infinity;
    for (const [from, to] of stretches) {
      if (from >= view.to) return;
      if (to <= view.from || to < reach + half) continue;
      reach = to;
      yield [from, to];
    }
  }

  // A stretch of a row that is no operation.
  function drawStretch(y, from, to, fill, hatched) {
    if (to <= view.from || from >= view.to) return;
    const x = toX(Math.max(from, view.from)), width = toX(Math.min(to, view.to)) - x, { bar } = place;
    if (fill) { pen.fillStyle = fill; pen.fillRect(x, y, width, bar); }
    if (!hatched) return;
    pen.save();
    pen.beginPath(); pen.rect(x, y, width, bar); pen.clip();
    pen.strokeStyle = colours.soft;
    pen.lineWidth = 1.2;
    pen.beginPath();
    for (let at = x - bar - ((x - bar) % 7); at < x + width; at += 7) { pen.moveTo(at, y + bar); pen.lineTo(at + bar, y); }
    pen.stroke();
    pen.restore();
    pen.strokeStyle = colours.soft;
    pen.lineWidth = 0.8;
    pen.strokeRect(x, y, width, bar);
  }

  function drawBlocked(y, from, to) {
    if (to <= view.from || from >= view.to) return;
    pen.strokeStyle = colours.ink;
    pen.lineWidth = 1.1;
    pen.setLineDash([3, 2]);
    pen.strokeRect(toX(from), y + 0.5, toX(to) - toX(from), place.bar - 1);
    pen.setLineDash([]);
  }

  // Due dates below the machines; a late job has a line from its due date to its end.
  function drawDue() {
    const y = place.bottom + 13, dim = matches.length > 0 || marked !== null, drawn = new Set();
    const [least, most] = [place.left - 20, place.right + 20];
    const inSight = (x) => Math.min(Math.max(x, least), most);
    for (let position = 0; position < numJobs; position++) {
      const late = lateness(position);
      if (late === null) continue;
      const x = inSight(toX(Math.min(Math.max(plan.due[position], 0), horizon)));
      const stop = isLate(position) ? inSight(toX(end(numMachines - 1, position))) : x;
      // One mark stands for all at the same pixels that are alike.
      const like = 2 * (Math.round(x) * 1e6 + Math.round(stop)) + (dim && isMarked(position) ? 1 : 0);
      if ((x === stop && (x === least || x === most)) || drawn.has(like)) continue;
      drawn.add(like);
      const style = isLate(position) ? colours.makespan : colours.ink;
      pen.globalAlpha = dim && !isMarked(position) ? 0.2 : 1;
      pen.strokeStyle = style;
      pen.lineWidth = 1.4;
      if (isLate(position)) {
        pen.beginPath(); pen.moveTo(x, y); pen.lineTo(stop, y); pen.moveTo(stop, y - 4); pen.lineTo(stop, y + 4); pen.stroke();
      }
      pen.beginPath(); pen.moveTo(x, y - 5); pen.lineTo(x + 5, y); pen.lineTo(x, y + 5); pen.lineTo(x - 5, y); pen.closePath();
      pen.fillStyle = isLate(position) ? style : colours.page;
      pen.fill(); pen.stroke();
    }
    pen.globalAlpha = 1;
  }

  function drawRow(machine) {
    const y = toRow(machine), { bar, left, right } = place;
    if (plan) {
      if (plan.available[machine] > 0) drawStretch(y, 0, plan.available[machine], colours.closed, false);
      for (const [from, to] of apart(plan.setups[machine])) drawStretch(y, from, to, null, true);
    }
    drawOperations(machine, y, bar, left, right);
    if (plan) {
      for (const [from, to] of apart(plan.blocked[machine])) drawBlocked(y, from, to);
      for (const [from, to] of plan.breaks[machine]) drawStretch(y, from, to, colours.break, false);
    }
  }

  function drawOperations(machine, y, bar, left, right) {
    const row = starts[machine], lengths = durations[machine];
    const perUnit = (right - left) / (view.to - view.from);
    const dim = matches.length > 0 || marked !== null;
    pen.font = "12px " + font;
    pen.textAlign = "center";
    const drawBar = (position, bright) => {
      const x = left + (row[position] - view.from) * perUnit;
      const full = lengths[position] * perUnit;
      pen.globalAlpha = bright ? 1 : 0.16;
      pen.fillStyle = colour(position);
      const shown = dim && bright ? Math.max(full, 2) : Math.max(full - Math.min(1, Math.max(0, 0.2 * (full - 2))), 0.5);
      pen.fillRect(x, y, shown, bar);
      if (data.labels && full > 9 && bar >= 13) {
        const middle = (Math.max(x, left) + Math.min(x + full, right)) / 2;
        const room = Math.min(x + full, right) - Math.max(x, left);
        const label = (machine === numMachines - 1 && isLate(position) ? "! " : "") + jobs[position];
        if (pen.measureText(label).width + 6 <= room) {
          pen.fillStyle = bright ? "#10151b" : colours.ink;
          pen.fillText(label, middle, y + bar / 2 + 1);
        }
      }
      if (machine === numMachines - 1 && full > 3 && isLate(position)) {
        pen.strokeStyle = colours.makespan;
        pen.lineWidth = 2;
        pen.strokeRect(x + 1, y + 1, Math.max(shown - 2, 1), bar - 2);
      }
    };
    // Of bars that end within the same half pixel one stands for all: the next one is looked up, so that a frame costs as
    // much as there are pixels, however many jobs there are.
    const half = 0.5 / perUnit;
    let position = firstAfter(machine, view.from);
    while (position < numJobs && row[position] < view.to) {
      const isSeen = lengths[position] > 0;
      if (isSeen) drawBar(position, !dim);
      position = Math.max(position + 1, firstAfter(machine, end(machine, position) + (isSeen ? half : 0), position));
    }
    // Marked jobs are always drawn.
    if (dim) {
      for (const position of matches.length > 0 ? matches : [marked]) {
        if (lengths[position] > 0 && end(machine, position) > view.from && row[position] < view.to) drawBar(position, true);
      }
    }
    pen.globalAlpha = 1;
  }

  function drawCritical() {
    pen.strokeStyle = colours.critical;
    pen.lineWidth = 1.8;
    pen.beginPath();
    let from = null;
    for (const [machine, start, stop] of data.critical) {
      const x = toX(start), y = toRow(machine);
      if (from !== null) { pen.moveTo(x, from); pen.lineTo(x, y); }
      pen.rect(x, y, toX(stop) - x, place.bar);
      from = y + place.bar;
    }
    pen.stroke();
  }

  function drawLine(time, style, dash, from) {
    const x = toX(time);
    pen.strokeStyle = style;
    pen.lineWidth = 1.5;
    pen.setLineDash(dash);
    pen.beginPath(); pen.moveTo(x, from); pen.lineTo(x, place.axis + 1); pen.stroke();
    pen.setLineDash([]);
  }

  function drawMark(time, name, style, y) {
    const x = toX(time), text = name + " " + when(time);
    if (x < place.left - 1 || x > place.right + 1) return;
    pen.font = "600 12.5px " + font;
    const leftOfLine = x - 6 - pen.measureText(text).width > 0;
    pen.textAlign = leftOfLine ? "right" : "left";
    pen.fillStyle = style;
    pen.fillText(text, leftOfLine ? x - 6 : x + 6, y);
  }

  function drawSelected() {
    if (!selected) return;
    const { machine, position } = selected;
    const x = toX(starts[machine][position]), width = Math.max(2, toX(end(machine, position)) - x);
    pen.lineWidth = 2.5;
    pen.strokeStyle = colours.focus;
    pen.strokeRect(x - 1, toRow(machine) - 1.5, width + 1, place.bar + 3);
  }

  // A strip below the axis that tells which part of the schedule is in view.
  function drawWindow() {
    if (view.to - view.from > 0.999 * horizon) return;
    const { left, right, height } = place, scale = (right - left) / horizon;
    pen.fillStyle = colours.grid;
    pen.fillRect(left, height - 5, right - left, 4);
    pen.fillStyle = colours.axis;
    const x = left + Math.max(0, view.from) * scale;
    pen.fillRect(x, height - 5, Math.max(8, (Math.min(view.to, horizon) - Math.max(0, view.from)) * scale), 4);
  }

  // ---- moving through time ----

  function show(from, to) {
    const least = horizon * 1e-6;
    const span = Math.min(horizon, Math.max(least, to - from));
    view.from = Math.min(Math.max(0, from), horizon - span);
    view.to = view.from + span;
    request();
  }

  function zoom(factor, x) {
    const time = x === undefined ? (view.from + view.to) / 2 : toTime(x);
    show(time - (time - view.from) / factor, time + (view.to - time) / factor);
  }

  const pan = (pixels) => {
    const time = (pixels / (place.right - place.left)) * (view.to - view.from);
    show(view.from + time, view.to + time);
  };

  function reveal(machine, position) {
    const start = starts[machine][position], stop = end(machine, position), span = view.to - view.from;
    if (start < view.from || stop > view.to) show((start + stop) / 2 - span / 2, (start + stop) / 2 + span / 2);
  }

  // ---- what is marked ----

  const isMarked = (position) => (matches.length > 0 ? matchSet.has(position) : marked === position);
  let matchSet = new Set(), current = -1;

  function find() {
    const wanted = search.value.trim().toLowerCase();
    matches = [];
    marked = null;
    current = -1;
    if (wanted) {
      const texts = jobs.map((name) => name.toLowerCase());
      const exact = [...texts.keys()].filter((position) => texts[position] === wanted);
      matches = exact.length ? exact : [...texts.keys()].filter((position) => texts[position].includes(wanted));
    }
    matchSet = new Set(matches);
    found.textContent = !wanted ? "" : matches.length === 0 ? "no such job"
      : matches.length === 1 ? `${jobText(matches[0])}, position ${matches[0] + 1} of ${numJobs}`
      : `${matches.length} jobs`;
    request();
  }

  function nextMatch(step) {
    if (!matches.length) return;
    current = (current + step + matches.length) % matches.length;
    const position = matches[current];
    const machine = Math.max(0, durations.findIndex((row) => row[position] > 0));
    select(machine, position);
  }

  // ---- one operation in words ----

  function describe(machine, position) {
    const length = plan ? plan.work[machine][position] : durations[machine][position];
    const facts = [["machine", machines[machine]], ["start", when(starts[machine][position])],
      ["end", when(end(machine, position))], ["duration", format(length)],
      ["position", position + 1]];
    const late = lateness(position);
    if (late !== null) {
      facts.push(["due", when(plan.due[position])], isLate(position) ? ["late by", format(late)] : ["early by", format(-late)]);
    }
    return facts;
  }

  function showTip(machine, position, x, y) {
    const heading = document.createElement("strong"), swatch = document.createElement("i");
    swatch.style.background = colour(position);
    heading.append(swatch, jobText(position));
    const list = document.createElement("dl");
    for (const [name, value] of describe(machine, position)) {
      const term = document.createElement("dt"), detail = document.createElement("dd");
      term.textContent = name;
      detail.textContent = value;
      list.append(term, detail);
    }
    tip.replaceChildren(heading, list);
    tip.hidden = false;
    const box = tip.getBoundingClientRect();
    const left = x + 16 + box.width > place.width ? x - 16 - box.width : x + 16;
    const top = y + 16 + box.height > place.height ? y - 12 - box.height : y + 16;
    tip.style.transform = `translate(${Math.max(0, left)}px, ${Math.max(0, top)}px)`;
  }

  function select(machine, position) {
    selected = { machine, position };
    reveal(machine, position);
    const x = (toX(starts[machine][position]) + toX(end(machine, position))) / 2;
    showTip(machine, position, Math.max(place.left, Math.min(place.right, x)), toRow(machine) + place.bar / 2);
    live.textContent = jobText(position) + ", " + describe(machine, position).map((pair) => pair.join(" ")).join(", ");
    request();
  }

  function at(x, y) {
    const machine = Math.floor((y - place.top) / place.pitch);
    if (machine < 0 || machine >= numMachines || x < place.left || x > place.right) return null;
    const slack = (view.to - view.from) / (place.right - place.left);
    const position = firstAfter(machine, toTime(x));
    if (position < numJobs && durations[machine][position] > 0 && starts[machine][position] <= toTime(x) + slack) {
      return { machine, position };
    }
    return null;
  }

  // ---- pointer, wheel, keys ----

  const pointers = new Map();
  let moved = 0;
  const inside = (event) => {
    const box = canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };

  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, inside(event));
    moved = pointers.size > 1 ? 99 : 0;
    canvas.classList.add("dragging");
  });
  canvas.addEventListener("pointermove", (event) => {
    const here = inside(event), before = pointers.get(event.pointerId);
    if (!before) {
      const hit = at(here.x, here.y);
      if (hit) showTip(hit.machine, hit.position, here.x, here.y); else tip.hidden = true;
      return;
    }
    const others = [...pointers].filter(([id]) => id !== event.pointerId).map(([, point]) => point);
    if (others.length) {
      const spread = (point) => Math.max(12, Math.hypot(point.x - others[0].x, point.y - others[0].y));
      pan((before.x - here.x) / 2);
      zoom(spread(here) / spread(before), (here.x + others[0].x) / 2);
    } else {
      moved += Math.abs(here.x - before.x);
      if (moved > 3) { tip.hidden = true; pan(before.x - here.x); }
    }
    pointers.set(event.pointerId, here);
  });
  const release = (event) => {
    const here = pointers.get(event.pointerId);
    pointers.delete(event.pointerId);
    if (!pointers.size) canvas.classList.remove("dragging");
    if (event.type !== "pointerup" || !here || moved > 3) return;
    const hit = at(here.x, here.y);
    search.value = "";
    find();
    marked = hit ? hit.position : null;
    if (hit) select(hit.machine, hit.position); else clear();
  };
  canvas.addEventListener("pointerup", release);
  canvas.addEventListener("pointercancel", release);
  canvas.addEventListener("pointerleave", () => { if (!pointers.size) tip.hidden = true; });
  canvas.addEventListener("dblclick", () => show(0, horizon));
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    const unit = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      pan((event.deltaX || event.deltaY) * unit);
    } else {
      zoom(Math.exp(-Math.max(-240, Math.min(240, event.deltaY * unit)) * (event.ctrlKey ? 0.01 : 0.002)), inside(event).x);
    }
    tip.hidden = true;
  }, { passive: false });

  function clear() {
    selected = null;
    marked = null;
    tip.hidden = true;
    if (search.value) { search.value = ""; find(); }
    request();
  }

  // The next operation that takes time: along a machine's row, or of the same job on another machine.
  function step(alongRow, alongJob) {
    let { machine, position } = selected ?? { machine: 0, position: -1 };
    if (!selected) { alongRow = 1; alongJob = 0; }
    do {
      machine += alongJob;
      position += alongRow;
    } while (durations[machine]?.[position] === 0);
    if (durations[machine]?.[position] > 0) select(machine, position);
  }

  const keys = {
    ArrowLeft: () => step(-1, 0), ArrowRight: () => step(1, 0), ArrowUp: () => step(0, -1), ArrowDown: () => step(0, 1),
    "+": () => zoom(1.5), "=": () => zoom(1.5), "-": () => zoom(1 / 1.5), 0: () => show(0, horizon),
    PageUp: () => pan(-0.8 * (place.right - place.left)), PageDown: () => pan(0.8 * (place.right - place.left)),
    Home: () => show(0, view.to - view.from), End: () => show(horizon - (view.to - view.from), horizon),
    Enter: () => { marked = selected && marked !== selected.position ? selected.position : null; request(); },
    Escape: clear,
  };
  canvas.addEventListener("keydown", (event) => {
    const action = keys[event.key];
    if (action && !event.ctrlKey && !event.metaKey && !event.altKey) { event.preventDefault(); action(); }
  });
  canvas.addEventListener("blur", () => { selected = null; tip.hidden = true; request(); });
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && document.activeElement !== search) { event.preventDefault(); search.focus(); }
  });
  search.addEventListener("input", () => { selected = null; tip.hidden = true; find(); });
  search.addEventListener("keydown", (event) => {
    if (event.key === "Enter") nextMatch(event.shiftKey ? -1 : 1);
    if (event.key === "Escape") clear();
  });
  element("in").addEventListener("click", () => zoom(1.5));
  element("out").addEventListener("click", () => zoom(1 / 1.5));
  element("all").addEventListener("click", () => show(0, horizon));
  critical.addEventListener("change", request);

  critical.checked = data.showCritical;
  critical.parentElement.hidden = plan !== null;
  readColours();
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { readColours(); request(); });
  new ResizeObserver(arrange).observe(chart);
  window.addEventListener("resize", arrange);
  arrange();

  // Another schedule, in the same view as far as it goes.
  function update(next) {
    const isWhole = view.to - view.from > 0.999 * horizon;
    data = next;
    ({ machines, jobs, starts, durations, makespan, bound } = data);
    [numMachines, numJobs] = [machines.length, jobs.length];
    plan = data.plan ?? null;
    horizon = Math.max(makespan, bound ?? 0, plan?.horizon ?? 0, data.horizon ?? 0) || 1;
    [selected, marked] = [null, null];
    tip.hidden = true;
    if (isWhole) [view.from, view.to] = [0, horizon];
    else show(view.from, view.to);
    if (search.value) find();
    arrange();
  }

  // Marks the jobs at these positions, as a search does.
  function mark(positions) {
    matches = positions;
    matchSet = new Set(matches);
    request();
  }

  return { update, mark };
}
