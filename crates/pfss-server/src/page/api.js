// Requests to the server. Every refusal is an error with the server's sentence.

const KEY = "pfss-token";
let token = localStorage.getItem(KEY);

export class Refusal extends Error {
  constructor(problem, status) {
    super(problem.reason ?? problem.detail ?? "The server did not answer as expected.");
    Object.assign(this, { status, line: problem.line, column: problem.column, detail: problem.detail });
  }
}

function headers(extra) {
  return token ? { ...extra, Authorization: "Bearer " + token } : { ...extra };
}

// Asks for the token until it is right.
let asking = null;
function askForToken() {
  asking ??= new Promise((resolve) => {
    const dialog = document.getElementById("token"), field = document.getElementById("token-field");
    document.getElementById("token-wrong").hidden = !token;
    field.value = "";
    dialog.addEventListener("close", () => {
      token = field.value.trim();
      localStorage.setItem(KEY, token);
      asking = null;
      resolve();
    }, { once: true });
    dialog.showModal();
  });
  return asking;
}

export async function request(path, { method = "GET", body, type, signal, extra } = {}) {
  for (;;) {
    let response;
    try {
      const more = type ? { "Content-Type": type, ...extra } : extra;
      response = await fetch(path, { method, body, signal, headers: headers(more) });
    } catch (error) {
      if (error.name === "AbortError") throw error;
      throw new Refusal({ detail: "The server cannot be reached. Is it still running?" }, 0);
    }
    if (response.status === 401) {
      await askForToken();
      continue;
    }
    if (!response.ok) {
      const problem = await response.json().catch(() => ({ detail: response.statusText }));
      throw new Refusal(problem, response.status);
    }
    return response;
  }
}

export const getJson = async (path, options) => (await request(path, options)).json();
export const postJson = (path, content, options) =>
  getJson(path, { method: "POST", type: "application/json", body: JSON.stringify(content), ...options });

const jobs = "/api/v1/jobs";
export const examples = () => getJson("/api/v1/examples");
export const health = () => getJson("/healthz").catch(() => ({}));
export const list = (before, limit = 50) =>
  getJson(`${jobs}?limit=${limit}${before ? "&before=" + encodeURIComponent(before) : ""}`);
export const job = (id) => getJson(`${jobs}/${encodeURIComponent(id)}`);
export const file = (id, name) => request(`${jobs}/${encodeURIComponent(id)}/${name}`);
export const stop = (id) => getJson(`${jobs}/${encodeURIComponent(id)}/stop`, { method: "POST" });
export async function goOn(id, seconds) {
  const job = await postJson(`${jobs}/${encodeURIComponent(id)}/continue`, { time_limit: seconds });
  restarted.dispatchEvent(new Event("restarted"));
  return job;
}
export const forget = (id) => request(`${jobs}/${encodeURIComponent(id)}`, { method: "DELETE" });
export const evaluate = (content, signal) => postJson("/api/v1/evaluate", content, { signal });
export const read = (content, type, name, clock) =>
  getJson(`/api/v1/read?${new URLSearchParams({ name, ...clock })}`, { method: "POST", type, body: content });

export function submitTable(csv, name, options) {
  const query = new URLSearchParams({ title: name || "plan", ...options });
  return getJson(`${jobs}?${query}`, { method: "POST", type: "text/csv", body: csv });
}

export const submitInstance = (instance, options) => postJson(jobs, { instance, options });

// A new job with the instance of another one, whose text is passed on as it is.
export async function submitFrom({ id, options: { start_at, unit } }, changes) {
  const instance = await (await file(id, "instance.json")).text();
  const options = { start_at, unit, ...changes };
  const body = `{"instance":${instance},"options":${JSON.stringify(options)}}`;
  return getJson(jobs, { method: "POST", type: "application/json", body });
}

// Follows the events of a job until `signal` ends it; comes back after interruptions and misses nothing. The stream of a job that
// has ended ends, too: it is opened again when the job goes on, or when somebody looks at the page again.
export async function follow(id, tell, signal) {
  let last = null, isOpen = true;
  while (!signal.aborted) {
    try {
      const extra = last === null ? {} : { "Last-Event-ID": last };
      const response = await request(`${jobs}/${encodeURIComponent(id)}/events`, { signal, extra });
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      let rest = "";
      for (;;) {
        const { value, done } = await reader.read();
        if (done) break;
        const parts = (rest + value).split("\n\n");
        rest = parts.pop();
        for (const part of parts) {
          const event = parse(part);
          if (event.id !== undefined) last = event.id;
          if (!event.data) continue;
          const data = JSON.parse(event.data);
          if (event.event === "state") isOpen = ["queued", "running"].includes(data.state);
          tell(event.event, data);
        }
      }
    } catch (error) {
      if (signal.aborted || error.status === 404) return;
      isOpen = true;
    }
    await (isOpen ? new Promise((resolve) => setTimeout(resolve, 1000)) : goesOn(signal));
  }
}

// Waits until a job may have gone on: here, or elsewhere while nobody looked.
const restarted = new EventTarget();
function goesOn(signal) {
  return new Promise((resolve) => {
    const done = () => {
      restarted.removeEventListener("restarted", done);
      window.removeEventListener("focus", done);
      resolve();
    };
    restarted.addEventListener("restarted", done);
    window.addEventListener("focus", done);
    signal.addEventListener("abort", done);
  });
}

function parse(part) {
  const event = {};
  for (const line of part.split("\n")) {
    const colon = line.indexOf(":");
    if (colon > 0) event[line.slice(0, colon)] = line.slice(colon + 1).trim();
  }
  return event;
}
