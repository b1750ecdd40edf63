/** The work of a person on the page of the server before the app takes its place. */
type Work = {
  readonly container: Element;
  /** The fields of the page, which keep what was typed after they left it. */
  readonly fields: readonly Field[];
  readonly search: HTMLInputElement | null;
  focused: Element | undefined;
  /** The selection in the text of a document, whose elements stay. */
  selected: Readonly<Record<"from" | "to", Point>> | undefined;
};

type Field = HTMLInputElement | HTMLSelectElement;
type Point = { readonly node: Node; readonly offset: number };

let work: Work | undefined;

/** Watches what a person does on the page of the server, until `goOn` is called. */
export function watchServerPage(container: Element): void {
  work = {
    container,
    fields: [...container.querySelectorAll<Field>("main input[name], main select[name]")],
    search: container.querySelector("input#kb-search"),
    focused: document.activeElement ?? undefined,
    selected: undefined,
  };
  recordSelection();
  addEventListener("focusin", recordFocus);
  addEventListener("focusout", recordFocus);
  document.addEventListener("selectionchange", recordSelection);
}

/** Returns what stands in the search of the server's page if the person is about to type there; undefined otherwise. */
export const typedSearch = (): string | undefined =>
  work !== undefined && work.search !== null && work.focused === work.search ? work.search.value : undefined;

/** Lets the person go on in the page of the app where they were: with the same words in the fields, the same focus and selection. */
export function goOn(): void {
  if (work === undefined) return;
  const { container, fields, focused, selected } = work;
  work = undefined;
  removeEventListener("focusin", recordFocus);
  removeEventListener("focusout", recordFocus);
  document.removeEventListener("selectionchange", recordSelection);
  for (const field of fields) fill(field, container);
  if (focused !== undefined && focused !== document.activeElement) {
    const now = counterpartOf(focused, container);
    now?.focus({ preventScroll: true });
    if (now instanceof HTMLInputElement && focused instanceof HTMLInputElement) {
      now.setSelectionRange(focused.selectionStart, focused.selectionEnd);
    }
  }
  if (selected === undefined || !selected.from.node.isConnected || !selected.to.node.isConnected) return;
  const { from, to } = selected;
  getSelection()?.setBaseAndExtent(from.node, from.offset, to.node, to.offset);
}

function recordFocus(): void {
  // Not at once: while the page is replaced, the element that has the focus loses it.
  queueMicrotask(() => {
    if (work !== undefined) work.focused = document.activeElement ?? undefined;
  });
}

function recordSelection(): void {
  const selection = getSelection();
  if (work === undefined || selection === null) return;
  const { anchorNode, anchorOffset, focusNode, focusOffset, isCollapsed } = selection;
  const article = work.container.querySelector("article[data-key]");
  const isInText = article?.contains(anchorNode) === true && article.contains(focusNode);
  work.selected =
    anchorNode === null || focusNode === null || isCollapsed || !isInText
      ? undefined
      : { from: { node: anchorNode, offset: anchorOffset }, to: { node: focusNode, offset: focusOffset } };
}

/** Puts what a person changed in a field of the server's page into that of the app. */
function fill(field: Field, container: Element): void {
  const initial =
    field instanceof HTMLInputElement
      ? field.defaultValue
      : [...field.options].find(({ defaultSelected }) => defaultSelected)?.value;
  const now = counterpartOf(field, container);
  if (field.value === (initial ?? "") || !(now instanceof HTMLInputElement || now instanceof HTMLSelectElement)) return;
  now.value = field.value;
  now.dispatchEvent(new Event("input", { bubbles: true }));
  now.dispatchEvent(new Event("change", { bubbles: true }));
}

/** Returns the element of the app's page that stands for one of the server's. */
function counterpartOf(element: Element, container: Element): HTMLElement | null {
  if (element.isConnected) return element instanceof HTMLElement ? element : null;
  if (element.id === "kb-search") return document.getElementById(element.id);
  const name = element.getAttribute("name");
  const href = element.getAttribute("href");
  if (name !== null) return container.querySelector(`main ${element.localName}[name="${CSS.escape(name)}"]`);
  if (href === null) return element.id === "" ? null : document.getElementById(element.id);
  const link = linkLike(element, `a[href="${CSS.escape(href)}"]`, container);
  return link?.closest<HTMLElement>("[role=treeitem]") ?? link ?? null;
}

/** The parts that both pages have. One address may have a link in each of them, and several in one. */
const parts = [".bar", "#kb-navigation", ".main", ".aside"];

/** Returns the link that stands in the same part of the app's page as one of the server's, after as many links to the same address. */
function linkLike(element: Element, selector: string, container: Element): HTMLElement | undefined {
  const part = parts.find((each) => element.closest(each) !== null);
  const linksIn = (root: Element | null | undefined): HTMLElement[] => [
    ...(root?.querySelectorAll<HTMLElement>(selector) ?? []),
  ];
  if (part === undefined) return linksIn(container)[0];
  const place = linksIn(element.closest(part)).findIndex((each) => each === element);
  const links = linksIn(container.querySelector(part));
  return links[place] ?? links[0] ?? linksIn(container)[0];
}
