import type { NodeJSON } from "markdown-codec";
import { attributeOf, type Element, findElement, isElement, textIn } from "./parse.ts";
import type { ReadBlocks } from "./reading.ts";

/** Reads an element that is a block of its own; null for lines of text and what only contains blocks. */
export function blockOf(element: Element, read: ReadBlocks): NodeJSON[] | null {
  const { tagName } = element;
  if (/^h[1-6]$/.test(tagName)) return headingOf(element, read);
  switch (tagName) {
    case "ul":
    case "ol":
    case "menu":
      return [listOf(element, read)];
    case "blockquote":
      return wrapped("blockquote", read(element));
    case "pre":
      return [codeOf(textIn(element), languageOf(element))];
    case "hr":
      return [{ type: "horizontalRule" }];
    case "details":
      return detailsOf(element, read);
    case "table":
      return tableOf(element, read);
    default:
      return null;
  }
}

/** Returns a block around others; nothing if there are none. */
export const wrapped = (type: string, content: NodeJSON[], attrs?: NodeJSON["attrs"]): NodeJSON[] =>
  content.length === 0 ? [] : [{ type, ...(attrs === undefined ? {} : { attrs }), content }];

/** Returns a block of code. */
export function codeOf(text: string, language: string | null): NodeJSON {
  const code = text.replace(/^\n/, "").replace(/\n$/, "");
  return { type: "codeBlock", attrs: { language }, content: code === "" ? [] : [{ type: "text", text: code }] };
}

/** Returns the lines of blocks as one line, with breaks between them. */
function lineOf(blocks: NodeJSON[]): NodeJSON[] {
  return blocks.flatMap(({ content = [] }, index) => (index === 0 ? content : [{ type: "hardBreak" }, ...content]));
}

function headingOf(element: Element, read: ReadBlocks): NodeJSON[] {
  const blocks = read(element);
  const lines = blocks.filter(({ type }) => type === "paragraph");
  const others = blocks.filter(({ type }) => type !== "paragraph");
  const level = Number(element.tagName.slice(1));
  return [...wrapped("heading", lineOf(lines), { level, id: null }), ...others];
}

/** Reads a list. Lists that are its children without an item, as old editors write them, belong to the item before. */
function listOf(list: Element, read: ReadBlocks): NodeJSON {
  const items: NodeJSON[] = [];
  for (const child of list.childNodes) {
    if (!isElement(child)) continue;
    const content = child.tagName === "li" ? read(child) : (blockOf(child, read) ?? []);
    const last = items.at(-1);
    if (child.tagName === "li") items.push(itemOf(child, content));
    else if (last !== undefined) items[items.length - 1] = { ...last, content: [...(last.content ?? []), ...content] };
    else if (content.length > 0) items.push({ type: "listItem", content });
  }
  if (items.length === 0) return { type: "paragraph" };
  if (list.tagName === "ol") {
    const start = Number(attributeOf(list, "start") ?? 1);
    return { type: "orderedList", attrs: { start: Number.isInteger(start) ? start : 1, type: null }, content: items };
  }
  return { type: items.every(({ type }) => type === "taskItem") ? "taskList" : "bulletList", content: items };
}

function itemOf(item: Element, blocks: NodeJSON[]): NodeJSON {
  const content = blocks.length === 0 ? [{ type: "paragraph" }] : blocks;
  const box = findElement(
    item,
    ({ tagName, attrs }) => tagName === "input" && attrs.some(({ value }) => value === "checkbox"),
  );
  const isTask = box !== undefined || attributeOf(item, "data-inline-task-id") !== undefined;
  if (!isTask) return { type: "listItem", content };
  const checked =
    (box !== undefined && attributeOf(box, "checked") !== undefined) ||
    /\bchecked\b/.test(attributeOf(item, "class") ?? "");
  return { type: "taskItem", attrs: { checked }, content };
}

function languageOf(element: Element): string | null {
  const code = findElement(element, ({ tagName }) => tagName === "code");
  const classes = [element, ...(code === undefined ? [] : [code])]
    .map((one) => attributeOf(one, "class") ?? "")
    .join(" ");
  return /(?:^|\s)(?:language|lang)-([\w+#-]+)/.exec(classes)?.[1] ?? null;
}

function detailsOf(element: Element, read: ReadBlocks): NodeJSON[] {
  const summary = findElement(element, ({ tagName }) => tagName === "summary");
  const rest = { ...element, childNodes: element.childNodes.filter((child) => child !== summary) };
  const attrs = {
    summary: summary === undefined ? null : lineText(summary),
    open: attributeOf(element, "open") !== undefined,
  };
  return wrapped("details", read(rest), attrs);
}

/** Returns the text of an element as one line. */
export const lineText = (element: Element): string => textIn(element).replaceAll(/\s+/g, " ").trim();

function tableOf(table: Element, read: ReadBlocks): NodeJSON[] {
  const rows: NodeJSON[] = [];
  for (const element of rowsIn(table)) {
    const cells = element.childNodes.filter(isElement).filter(({ tagName }) => tagName === "td" || tagName === "th");
    if (cells.length > 0) rows.push({ type: "tableRow", content: cells.map((cell) => cellOf(cell, read)) });
  }
  const caption = findElement(table, ({ tagName }) => tagName === "caption");
  const above = caption === undefined ? [] : read(caption);
  return [...above, ...wrapped("table", rows)];
}

/** Walks the rows of a table, without those of tables inside it. */
function* rowsIn(table: Element): Generator<Element> {
  for (const child of table.childNodes) {
    if (!isElement(child)) continue;
    if (child.tagName === "tr") yield child;
    else if (/^t(?:head|body|foot)$/.test(child.tagName)) yield* rowsIn(child);
  }
}

function cellOf(cell: Element, read: ReadBlocks): NodeJSON {
  const blocks = read(cell);
  const span = (name: string, most: number): number => {
    const number = Number(attributeOf(cell, name) ?? 1);
    return Number.isInteger(number) && number >= 1 && number <= most ? number : 1;
  };
  const style = `${attributeOf(cell, "align") ?? ""} ${attributeOf(cell, "style") ?? ""}`;
  const align = /(?:^|text-align:\s*)(left|center|right)\b/.exec(style)?.[1] ?? null;
  return {
    type: cell.tagName === "th" ? "tableHeader" : "tableCell",
    attrs: { colspan: span("colspan", 1000), rowspan: span("rowspan", 65534), colwidth: null, align },
    content: blocks.length === 0 ? [{ type: "paragraph" }] : blocks,
  };
}
