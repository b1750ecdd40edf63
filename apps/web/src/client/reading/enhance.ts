import type { Messages } from "../../messages/index.ts";
import { copyText } from "../parts/copy-text.ts";
import { copyKeys } from "../parts/keys.tsx";
import { layOutFarBlocks, nearBlocksOf } from "./far-blocks.ts";
import { colourVisibleCode } from "./highlight.ts";
import { markScrolling } from "./mark-scrolling.ts";
import { recordBlocks } from "./replace-blocks.ts";

/** The elements of an article that need script. */
const parts = ":is(h1, h2, h3, h4, h5, h6)[id], a[href^='http'], pre, div.math, table";

/**
 * Adds to an article whatever needs script: links to headings, marks of links that show their own
 * address, buttons that copy code, and coloured code. The blocks far below the top of the server's article get it in steps, before
 * they are laid out. Returns a function that ends it. Calling it again on the same article adds nothing twice.
 */
export function enhance(article: HTMLElement, messages: Messages): () => void {
  const scrolling = reachScrolling();
  const colors = colourVisibleCode();
  const enhanceBlocks = (blocks: readonly Element[]): void => {
    recordBlocks(blocks);
    for (const block of blocks) {
      for (const part of partsOf(block)) {
        enhancePart(part, messages);
        if (isScrolling(part)) scrolling.observe(part);
        if (part.localName === "pre") colors.watch(part);
      }
    }
  };
  enhanceBlocks(nearBlocksOf(article));
  const endLayout = layOutFarBlocks(article, enhanceBlocks);
  return () => {
    endLayout();
    scrolling.disconnect();
    colors.end();
  };
}

/** Returns the parts of a block that need script, the block itself among them. */
function partsOf(block: Element): HTMLElement[] {
  const found = [...block.querySelectorAll<HTMLElement>(parts)];
  return block instanceof HTMLElement && block.matches(parts) ? [block, ...found] : found;
}

/** Code, formulas and tables may be wider than the page. */
const isScrolling = ({ localName }: HTMLElement): boolean => ["pre", "div", "table"].includes(localName);

function enhancePart(part: HTMLElement, messages: Messages): void {
  if (part instanceof HTMLAnchorElement) {
    // Its text is its address, which print need not repeat.
    if (withoutScheme(part.textContent) === withoutScheme(part.getAttribute("href") ?? "")) part.dataset.address = "";
  } else if (part instanceof HTMLHeadingElement) {
    if (part.querySelector(".heading-link") === null) addHeadingLink(part, messages);
  } else if (part instanceof HTMLPreElement) {
    if (part.querySelector(".copy-code") === null) part.append(copyButton(part, messages));
  } else if (part instanceof HTMLTableElement) {
    // The keyboard reaches a wide one to scroll it.
    part.setAttribute("aria-label", messages.tableName);
  }
}

/**
 * Lets the keyboard reach the code, the formulas and the tables that scroll, whenever their width changes. They are measured once the page has
 * been laid out for its next picture: asked for here, the layout of a long document would hold up everything else that the app
 * begins with.
 */
const reachScrolling = (): ResizeObserver =>
  new ResizeObserver((entries) => markScrolling(entries.map(({ target }) => target)));

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
