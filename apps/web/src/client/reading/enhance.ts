import type { Messages } from "../../messages/index.ts";
import { copyText } from "../parts/copy-text.ts";
import { copyKeys } from "../parts/keys.tsx";
import { highlightVisibleCode } from "./highlight.ts";
import { markScrolling } from "./mark-scrolling.ts";

/**
 * Adds to an article whatever needs script: links to headings, marks of links that show their own
 * address, buttons that copy code, and coloured code. Returns a
 * function that ends it. Calling it again on the same article adds nothing twice.
 */
export function enhance(article: HTMLElement, messages: Messages): () => void {
  for (const heading of article.querySelectorAll<HTMLElement>(":is(h1, h2, h3, h4, h5, h6)[id]")) {
    if (heading.querySelector(".heading-link") === null) addHeadingLink(heading, messages);
  }
  for (const link of article.querySelectorAll<HTMLAnchorElement>("a[href^='http']")) {
    // Its text is its address, which print need not repeat.
    if (withoutScheme(link.textContent) === withoutScheme(link.getAttribute("href") ?? "")) link.dataset.address = "";
  }
  const blocks = [...article.querySelectorAll<HTMLElement>("pre")];
  for (const block of blocks) {
    if (block.querySelector(".copy-code") === null) block.append(copyButton(block, messages));
  }
  const formulas = article.querySelectorAll<HTMLElement>("div.math");
  const endReaching = reachScrolling([...blocks, ...formulas, ...tablesOf(article, messages)]);
  const endHighlighting = highlightVisibleCode(article);
  return () => {
    endReaching();
    endHighlighting();
  };
}

/**
 * Lets the keyboard reach the code, the formulas and the tables that scroll, whenever their width changes. They are measured once the page has
 * been laid out for its next picture: asked for here, the layout of a long document would hold up everything else that the app
 * begins with.
 */
function reachScrolling(blocks: readonly HTMLElement[]): () => void {
  const observer = new ResizeObserver((entries) => markScrolling(entries.map(({ target }) => target)));
  for (const block of blocks) observer.observe(block);
  return () => observer.disconnect();
}

/** Returns the tables of an article, each with a name: the keyboard reaches a wide one to scroll it. */
function tablesOf(article: HTMLElement, messages: Messages): HTMLElement[] {
  const tables = [...article.querySelectorAll<HTMLElement>("table")];
  for (const table of tables) table.setAttribute("aria-label", messages.tableName);
  return tables;
}

const withoutScheme = (address: string): string =>
  address
    .trim()
    .replace(/^https?:\/\//i, "")
    .replace(/\/$/, "");

/** Adds a link to a heading, which keeps its text as its name. */
function addHeadingLink(heading: HTMLElement, messages: Messages): void {
  const link = document.createElement("a");
  link.className = "heading-link";
  link.href = `#${encodeURIComponent(heading.id)}`;
  link.textContent = "#";
  link.setAttribute("aria-label", `${messages.linkToHeading}: ${heading.textContent}`);
  heading.setAttribute("aria-label", heading.textContent);
  heading.append(link);
}

function copyButton(block: HTMLElement, messages: Messages): HTMLElement {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy-code";
  button.textContent = messages.copyCode;
  button.addEventListener("click", async () => {
    const code = block.querySelector("code");
    const isCopied = await copyText(code?.textContent ?? "");
    if (!isCopied && code !== null) getSelection()?.selectAllChildren(code);
    button.textContent = isCopied ? messages.copied : messages.pressCopyKeys(copyKeys);
    setTimeout(() => {
      button.textContent = messages.copyCode;
    }, 2_000);
  });
  return button;
}
