import { all, create, moveContent, setBox, setNode, unwrap } from "./elements.ts";

/** An item of a list that is written without nesting. */
export type FlatItem = {
  readonly level: number;
  readonly isOrdered: boolean;
  /** The number of the item, if it is the first one of a numbered list. */
  readonly start: number;
  /** Items of lists with different names are not in one list. */
  readonly list: string;
  /** The element whose content is that of the item. */
  readonly element: Element;
};

type OpenList = FlatItem & { readonly dom: HTMLElement };

/** Returns the lists that items of several levels make. */
export function nest(items: readonly FlatItem[]): HTMLElement[] {
  const open: OpenList[] = [];
  const lists: HTMLElement[] = [];
  const isOf = (list: OpenList, item: FlatItem): boolean =>
    list.level < item.level ||
    (list.level === item.level && list.isOrdered === item.isOrdered && list.list === item.list);
  for (const item of items) {
    let left: OpenList | undefined;
    for (let last = open.at(-1); last !== undefined && !isOf(last, item); last = open.at(-1)) left = open.pop();
    // The first items may have been written further in.
    const isSame = left !== undefined && isOf({ ...left, level: item.level }, item);
    if (open.length === 0 && left !== undefined && isSame) open.push({ ...left, level: item.level });
    const outer = open.at(-1);
    if (outer === undefined || outer.level < item.level) {
      const dom = create(item.element, item.isOrdered ? "ol" : "ul");
      if (item.isOrdered && item.start !== 1) dom.setAttribute("start", String(item.start));
      if (outer === undefined) lists.push(dom);
      else outer.dom.lastElementChild?.append(dom);
      open.push({ ...item, dom });
    }
    const entry = create(item.element, "li");
    moveContent(item.element, entry);
    open.at(-1)?.dom.append(entry);
  }
  return lists;
}

/** Puts lists that stand directly in a list into the item before them, as Google Docs and LibreOffice mean them. */
function adoptLists(root: Element): void {
  for (const list of all(root, "ul > ul, ul > ol, ol > ul, ol > ol")) {
    const before = list.previousElementSibling;
    if (before?.tagName === "LI") before.append(list);
    else {
      const item = create(list, "li");
      list.before(item);
      item.append(list);
    }
  }
}

/** Nests the lists of Slack, each of which has one level. */
function nestIndented(root: Element): void {
  const seen = new Set<Element>();
  for (const first of all(root, "ul[data-indent], ol[data-indent]")) {
    if (seen.has(first)) continue;
    const run: Element[] = [first];
    for (let next = first.nextElementSibling; next?.matches("ul[data-indent], ol[data-indent]") === true; ) {
      run.push(next);
      next = next.nextElementSibling;
    }
    for (const list of run) seen.add(list);
    if (run.every((list) => list.getAttribute("data-indent") === "0")) continue;
    const items = run.flatMap((list) =>
      [...list.children].map((element) => ({
        level: Number(list.getAttribute("data-indent")),
        isOrdered: list.tagName === "OL",
        start: Number(list.getAttribute("start") ?? 1),
        list: "",
        element,
      })),
    );
    first.before(...nest(items));
    for (const list of run) list.remove();
  }
}

const textBox = /^\s*\[([ xX])\]\s+/;

/** Returns whether an item of a list is a task that is done, or one that is not; undefined for any other item. Removes its box. */
function takeBox(item: HTMLElement): boolean | undefined {
  const box = item.querySelector<HTMLElement>("input[type=checkbox]");
  if (box !== null && box.closest("li") === item) {
    box.remove();
    return box.hasAttribute("checked");
  }
  if (item.getAttribute("role") === "checkbox") {
    for (const picture of all(item, "img[aria-roledescription]")) picture.remove();
    return item.getAttribute("aria-checked") === "true";
  }
  const walker = (item.ownerDocument ?? document).createTreeWalker(item, NodeFilter.SHOW_TEXT);
  const first = walker.nextNode();
  const mark = textBox.exec(first?.nodeValue ?? "");
  if (first === null || mark === null || first.parentElement?.closest("li") !== item) return undefined;
  first.nodeValue = first.nodeValue?.slice(mark[0].length) ?? "";
  return mark[1] !== " ";
}

function readTasks(root: Element): void {
  for (const list of all(root, "ul, ol")) {
    const items = [...list.children].filter((element): element is HTMLElement => element.tagName === "LI");
    const boxes = items.map(takeBox);
    for (const [index, item] of items.entries()) {
      const checked = boxes[index];
      if (checked !== undefined) setBox(item, "taskItem", { checked });
    }
    if (list.tagName === "UL" && items.length > 0 && !boxes.includes(undefined)) setNode(list, "taskList");
  }
}

/** Makes lists of what other programs write for them: items are nested in items, and boxes are those of tasks. */
export function readLists(root: Element): void {
  nestIndented(root);
  adoptLists(root);
  // Google Docs has a block around each list for its direction.
  for (const wrapper of all(root, "li > div")) if (wrapper.parentElement?.children.length === 1) unwrap(wrapper);
  readTasks(root);
}
