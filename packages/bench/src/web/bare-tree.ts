import type { Page } from "playwright-core";

type BareTree = {
  readonly rows: number;
  /** The height of the area that scrolls, in pixels. */
  readonly areaHeight: number;
  readonly rowHeight: number;
};

const style = `
  body { margin: 0; font: 0.875rem / 1.5 system-ui; }
  [data-scroll-area] { inline-size: 16rem; overflow-y: auto; }
  [role=tree] { box-sizing: border-box; contain: layout; }
  [role=treeitem] { display: flex; padding-inline-start: 2.25rem; border-radius: 6px; }
  [role=treeitem]:focus-within { background: lightgray; }
  a { display: flex; flex: 1; align-items: center; min-inline-size: 0; color: inherit; text-decoration: none; }
  a::before { content: ""; inline-size: 0.75rem; block-size: 0.9375rem; margin-inline-end: 0.5rem; border: 1.5px solid gray; }
  span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }`;

/**
 * Shows a tree in an empty page, without a library and without features: the floor of the app's tree. Its rows have a sign, a title, a link and
 * the attributes that assistive technology reads, and only those on the screen and four beyond each end are in the page.
 */
export async function openBareTree(page: Page, tree: BareTree): Promise<void> {
  await page.setContent(
    `<!doctype html><html lang="en"><style>${style}</style><div data-scroll-area><div role="tree">`,
  );
  await page.evaluate(fillBareTree, tree);
}

/** Runs in the page. */
function fillBareTree({ rows, areaHeight, rowHeight }: BareTree): void {
  const area = document.querySelector<HTMLElement>("[data-scroll-area]");
  const tree = document.querySelector<HTMLElement>("[role=tree]");
  if (area === null || tree === null) throw new Error("The page has no tree");
  const overscan = 4;
  const shown = new Map<number, HTMLElement>();
  let selected = 0;
  const createRow = (index: number): HTMLElement => {
    const row = document.createElement("div");
    row.role = "treeitem";
    row.tabIndex = index === selected ? 0 : -1;
    row.ariaLevel = "2";
    row.ariaPosInSet = String(index + 1);
    row.ariaSetSize = String(rows);
    row.style.blockSize = `${rowHeight}px`;
    const link = document.createElement("a");
    link.href = `/documents/${index}`;
    link.tabIndex = -1;
    const title = document.createElement("span");
    title.textContent = `Page ${String(index + 1).padStart(5, "0")}`;
    link.append(title);
    row.append(link);
    return row;
  };
  const show = (): void => {
    const first = Math.max(0, Math.floor(area.scrollTop / rowHeight) - overscan);
    const end = Math.min(rows, Math.ceil((area.scrollTop + areaHeight) / rowHeight) + overscan);
    for (const [index, row] of shown) {
      if (index >= first && index < end) continue;
      row.remove();
      shown.delete(index);
    }
    let next: HTMLElement | null = null;
    for (let index = end - 1; index >= first; index -= 1) {
      const row: HTMLElement = shown.get(index) ?? createRow(index);
      if (!shown.has(index)) tree.insertBefore(row, next);
      shown.set(index, row);
      next = row;
    }
    tree.style.paddingBlockStart = `${first * rowHeight}px`;
  };
  const selectNext = (): void => {
    shown.get(selected)?.setAttribute("tabindex", "-1");
    selected += 1;
    area.scrollTop = Math.max(area.scrollTop, (selected + 1) * rowHeight - areaHeight);
    show();
    const row = shown.get(selected);
    row?.setAttribute("tabindex", "0");
    row?.focus({ preventScroll: true });
  };
  area.style.blockSize = `${areaHeight}px`;
  tree.style.blockSize = `${rows * rowHeight}px`;
  area.addEventListener("scroll", show);
  tree.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowDown") return;
    event.preventDefault();
    selectNext();
  });
  show();
}
