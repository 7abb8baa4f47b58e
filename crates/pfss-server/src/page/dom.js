// Elements without a framework: `h("button", { class: "primary", onclick }, "Solve")`. Texts are always texts, never markup.

export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class") element.className = value;
    else if (name in element && typeof value !== "string") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

// A drawing element.
export function s(tag, properties = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(properties)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

// Tells something to those who listen instead of looking.
export function say(text) {
  document.getElementById("says").textContent = text;
}

// A short note at the foot of the page.
export function toast(text) {
  document.querySelector(".toast")?.remove();
  const note = h("p", { class: "toast", role: "status" }, text);
  document.body.append(note);
  setTimeout(() => note.remove(), 6000);
}

// Saves something as a file of the user.
export function download(name, blob) {
  const link = h("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
