import { all, rename, textOf, wrapContent } from "./elements.ts";
import { type FlatItem, nest } from "./lists.ts";
import { styleOf } from "./styles.ts";

/** Reads what Word writes in its own way: lists as paragraphs, and titles and quotes as classes. */
export function readWord(root: Element): void {
  for (const space of all(root, "[data-style*='mso-spacerun']")) {
    space.textContent = (space.textContent ?? "").replaceAll("\u00a0", " ");
  }
  for (const title of all(root, "p.MsoTitle")) rename(title, "h1");
  for (const quote of all(root, "p.MsoQuote, p.MsoIntenseQuote")) {
    rename(wrapContent(quote, "p"), "p");
    rename(quote, "blockquote");
  }
  readWordLists(root);
}

function readWordLists(root: Element): void {
  const seen = new Set<Element>();
  for (const first of all(root, "p[data-style*='mso-list']")) {
    if (seen.has(first)) continue;
    const items: FlatItem[] = [];
    for (let next: Element | null = first; next instanceof Element; next = next.nextElementSibling) {
      const item = wordItem(next);
      if (item === undefined) break;
      seen.add(next);
      items.push(item);
    }
    first.before(...nest(items));
    for (const { element } of items) element.remove();
  }
}

const isParagraph = (element: Element): element is HTMLElement => element.tagName === "P";

/** Returns the item that a paragraph of Word is, without its mark; undefined for any other element. */
function wordItem(paragraph: Element): FlatItem | undefined {
  if (!isParagraph(paragraph)) return undefined;
  const [, list = "", level = "1"] = /^(l\d+) level(\d+)/.exec(styleOf(paragraph).get("mso-list") ?? "") ?? [];
  if (list === "") return undefined;
  const marks = all(paragraph, "[data-style*='mso-list']").filter((mark) => styleOf(mark).get("mso-list") === "ignore");
  const number = /^\(?(\d+|[a-z]{1,5})[.)]$/i.exec(marks.map(textOf).join(""))?.[1];
  for (const mark of marks) mark.remove();
  const start = Number.parseInt(number ?? "1", 10);
  return {
    element: paragraph,
    level: Number(level),
    isOrdered: number !== undefined,
    start: Number.isNaN(start) ? 1 : start,
    list,
  };
}
