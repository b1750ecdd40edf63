import type { Messages } from "../../messages/index.ts";
import { highlightVisibleCode } from "./highlight.ts";

/**
 * Adds to an article whatever needs script: links to headings, marks of links that show their own
 * address, buttons that copy code, and coloured code. Returns a
 * function that ends it. Calling it again on the same article adds nothing twice.
 */
export function enhance(article: HTMLElement, messages: Messages): () => void {
  for (const heading of article.querySelectorAll<HTMLElement>(":is(h1, h2, h3, h4, h5, h6)[id]")) {
    if (heading.querySelector(".heading-link") === null) heading.append(headingLink(heading, messages));
  }
  for (const link of article.querySelectorAll<HTMLAnchorElement>("a[href^='http']")) {
    // Its text is its address, which print need not repeat.
    if (withoutScheme(link.textContent) === withoutScheme(link.getAttribute("href") ?? "")) link.dataset.address = "";
  }
  const blocks = [...article.querySelectorAll<HTMLElement>("pre")];
  for (const block of blocks) {
    if (block.querySelector(".copy-code") === null) block.append(copyButton(block, messages));
  }
  // A block that scrolls is reached by the keyboard too. All are measured before the first changes, so that the page is laid out
  // once and not once for each of them.
  for (const block of blocks.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)) block.tabIndex = 0;
  return highlightVisibleCode(article);
}

const withoutScheme = (address: string): string =>
  address
    .trim()
    .replace(/^https?:\/\//i, "")
    .replace(/\/$/, "");

function headingLink(heading: HTMLElement, messages: Messages): HTMLElement {
  const link = document.createElement("a");
  link.className = "heading-link";
  link.href = `#${encodeURIComponent(heading.id)}`;
  link.textContent = "#";
  link.setAttribute("aria-label", `${messages.linkToHeading}: ${heading.textContent}`);
  return link;
}

function copyButton(block: HTMLElement, messages: Messages): HTMLElement {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy-code";
  button.textContent = messages.copyCode;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(block.querySelector("code")?.textContent ?? "");
    button.textContent = messages.copied;
    setTimeout(() => {
      button.textContent = messages.copyCode;
    }, 2_000);
  });
  return button;
}
