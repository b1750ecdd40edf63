/** The script of the documentation. It builds no HTML from text, and everything that it adds is hidden or absent without it. */
export const script = `"use strict";
const navigation = document.querySelector("nav[aria-label]");
const links = [...navigation.querySelectorAll("li a")];
const search = document.getElementById("search");
const input = search.querySelector("input");
const matches = document.getElementById("matches");

// Shows the entries whose title or name has all words; the groups without any are hidden too.
function filter() {
  const words = input.value.toLowerCase().split(/\\s+/).filter(Boolean);
  let count = 0;
  for (const link of links) {
    const text = (link.textContent + " " + link.title).toLowerCase();
    const shown = words.every((word) => text.includes(word));
    link.parentElement.hidden = !shown;
    if (shown) count += 1;
  }
  for (const list of navigation.querySelectorAll("ul")) {
    const empty = [...list.children].every((entry) => entry.hidden);
    list.hidden = empty;
    list.previousElementSibling.hidden = empty;
  }
  matches.textContent = words.length === 0 ? "" : count === 1 ? "1 match" : count + " matches";
  if (words.length > 0) navigation.querySelector("details").open = true;
}
search.hidden = false;
input.addEventListener("input", filter);
input.addEventListener("keydown", (event) => {
  if (event.key === "Escape") { input.value = ""; filter(); }
  if (event.key !== "Enter") return;
  const first = links.find((link) => !link.parentElement.hidden);
  if (first) first.click();
});
document.addEventListener("keydown", (event) => {
  const typing = event.target instanceof HTMLInputElement;
  if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  input.focus();
});

// Marks the last section whose beginning is above the upper third of the window.
const sections = links.map((link) => document.getElementById(link.hash.slice(1)));
let current;
function mark() {
  const limit = innerHeight / 3;
  let index = -1;
  sections.forEach((section, at) => { if (section.getBoundingClientRect().top < limit) index = at; });
  const next = links[Math.max(index, 0)];
  if (next === current) return;
  if (current) current.removeAttribute("aria-current");
  next.setAttribute("aria-current", "location");
  if (getComputedStyle(navigation).position === "sticky") next.scrollIntoView({ block: "nearest" });
  current = next;
}
let waiting = false;
addEventListener("scroll", () => {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => { waiting = false; mark(); });
}, { passive: true });
mark();

// Browsers have the clipboard only over HTTPS and on this machine; elsewhere there is no button.
for (const block of navigator.clipboard ? document.querySelectorAll("main pre") : []) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(block.querySelector("code").textContent);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Not copied";
    }
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  });
  const frame = document.createElement("div");
  frame.className = "block";
  block.replaceWith(frame);
  frame.append(block, button);
}
`;
