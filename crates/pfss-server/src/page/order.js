// The order as a list: jobs are moved by mouse, finger or keys; pinned ones stay where they are.

import { h, s } from "./dom.js";

const ROW = 40;

const drawingPin = () => s("svg", { viewBox: "0 0 20 20", "aria-hidden": "true" }, s("path", { d: "M7 2.5h6l-1 5 3 3.5H5l3-3.5z" }), s("path", { d: "M10 11v6.5" }));

// `state` has `order` (job numbers), `names` and `pinned` (a set of job numbers). `changed(order, what)` is told of every move,
// `pin(job)` of every pin, `look(position)` of the row that is looked at (or null).
export function orderList(state, { changed, pin, look }) {
  const list = h("ol", { class: "order", "aria-label": "Order of the jobs" });
  const scroller = h("div", { class: "order-box", tabindex: -1 }, list);
  let drag = null, drawn = "";

  const name = (job) => state.names?.[job] ?? `job ${job}`;

  // Only rows in sight exist: a hundred thousand jobs scroll as smoothly as twelve.
  function draw(force) {
    const height = scroller.clientHeight || 480;
    const from = Math.max(0, Math.floor(scroller.scrollTop / ROW) - 6);
    const to = Math.min(state.order.length, Math.ceil((scroller.scrollTop + height) / ROW) + 6);
    const key = `${from}-${to}`;
    if (!force && key === drawn) return;
    drawn = key;
    const focus = list.contains(document.activeElement) ? document.activeElement.dataset : null;
    list.style.height = state.order.length * ROW + "px";
    scroller.style.setProperty("--rows", state.order.length * ROW + 2 + "px");
    list.replaceChildren(...Array.from({ length: to - from }, (_, index) => row(from + index)));
    if (focus?.job !== undefined) list.querySelector(`[data-job="${focus.job}"][data-kind="${focus.kind}"]`)?.focus({ preventScroll: true });
  }

  function row(position) {
    const job = state.order[position], label = name(job), isPinned = state.pinned.has(job);
    const item = h("li", { class: isPinned ? "pinned" : "", "aria-posinset": String(position + 1), "aria-setsize": String(state.order.length), "data-position": position },
      h("button", { type: "button", class: "handle", "data-job": job, "data-kind": "handle", "aria-roledescription": "movable job",
        onkeydown: (event) => keys(event, position), onpointerdown: (event) => grab(event, position),
        onfocus: () => look(position), onblur: () => look(null) },
      // What is read aloud begins with what is seen, so that somebody who speaks to the page can name the row.
      h("span", { class: "place" }, String(position + 1)), " ", h("i", { class: "dot" }), h("span", { class: "label" }, label),
      h("span", { class: "unseen" }, ` of ${state.order.length}${isPinned ? ", pinned" : ""}. Arrow keys move it.`)),
      h("button", { type: "button", class: "pin quiet", "data-job": job, "data-kind": "pin", "aria-pressed": String(isPinned),
        "aria-label": `Pin ${label} to its place`, title: isPinned ? "Pinned: it keeps its place" : "Pin to this place",
        onclick: () => { pin(job); draw(true); } }, drawingPin()));
    item.style.transform = `translateY(${position * ROW}px)`;
    item.querySelector(".dot").style.background = state.colour(job);
    item.onpointerenter = () => look(position);
    item.onpointerleave = () => look(null);
    return item;
  }

  // Moves a job to another place; pinned jobs keep theirs, so the others flow around them.
  function move(from, to) {
    const job = state.order[from];
    if (to < 0 || to >= state.order.length || state.pinned.has(job)) return false;
    const step = to > from ? 1 : -1;
    while (to !== from && state.pinned.has(state.order[to])) to += step;
    if (to === from || to < 0 || to >= state.order.length) return false;
    const places = [], free = [];
    state.order.forEach((other, place) => { if (!state.pinned.has(other)) { places.push(place); free.push(other); } });
    free.splice(places.indexOf(from), 1);
    free.splice(places.indexOf(to), 0, job);
    const order = [...state.order];
    places.forEach((place, index) => { order[place] = free[index]; });
    changed(order, `${name(job)} to place ${to + 1}`);
    draw(true);
    reveal(to);
    return true;
  }

  function reveal(position) {
    const top = position * ROW;
    if (top < scroller.scrollTop) scroller.scrollTop = top;
    else if (top + ROW > scroller.scrollTop + scroller.clientHeight) scroller.scrollTop = top + ROW - scroller.clientHeight;
    draw(true);
  }

  function keys(event, position) {
    const to = { ArrowUp: position - 1, ArrowDown: position + 1, Home: 0, End: state.order.length - 1, PageUp: Math.max(0, position - 10), PageDown: Math.min(state.order.length - 1, position + 10) }[event.key];
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const job = state.order[position];
    if (move(position, to)) list.querySelector(`[data-job="${job}"][data-kind="handle"]`)?.focus({ preventScroll: true });
  }

  function grab(event, position) {
    if (event.button !== 0 || state.pinned.has(state.order[position])) return;
    const item = event.currentTarget.closest("li");
    drag = { position, item, startY: event.clientY, scroll: scroller.scrollTop, to: position, handle: event.currentTarget };
    event.currentTarget.setPointerCapture(event.pointerId);
    event.currentTarget.addEventListener("pointermove", moving);
    event.currentTarget.addEventListener("pointerup", drop, { once: true });
    event.currentTarget.addEventListener("pointercancel", drop, { once: true });
  }

  function moving(event) {
    const box = scroller.getBoundingClientRect();
    if (event.clientY < box.top + 24) scroller.scrollTop -= 14;
    if (event.clientY > box.bottom - 24) scroller.scrollTop += 14;
    const shift = event.clientY - drag.startY + scroller.scrollTop - drag.scroll;
    if (Math.abs(shift) < 4 && drag.to === drag.position) return;
    drag.item.classList.add("dragged");
    drag.item.style.transform = `translateY(${drag.position * ROW + shift}px)`;
    drag.to = Math.max(0, Math.min(state.order.length - 1, Math.round(drag.position + shift / ROW)));
    for (const other of list.children) {
      if (other === drag.item) continue;
      const place = +other.dataset.position;
      const by = place > drag.position && place <= drag.to ? -1 : place < drag.position && place >= drag.to ? 1 : 0;
      other.style.transform = `translateY(${(place + by) * ROW}px)`;
    }
  }

  function drop(event) {
    const { position, to, item, handle } = drag;
    handle.removeEventListener("pointermove", moving);
    item.classList.remove("dragged");
    drag = null;
    if (event.type !== "pointerup" || to === position || !move(position, to)) draw(true);
  }

  scroller.addEventListener("scroll", () => { if (!drag) draw(false); });
  new ResizeObserver(() => draw(false)).observe(scroller);
  return { element: scroller, draw: () => draw(true), move };
}
