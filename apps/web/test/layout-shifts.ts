import type { Page } from "playwright-core";

/** The part of a layout shift that the types of the DOM leave out (Layout Instability API). */
type Shift = PerformanceEntry & {
  readonly value: number;
  readonly sources: readonly {
    readonly node: Node | null;
    readonly previousRect: DOMRectReadOnly;
    readonly currentRect: DOMRectReadOnly;
  }[];
};

/** Records what moves on every page that is opened from now on, from its first picture. */
export const recordShifts = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const shifts: string[] = [];
    Object.defineProperty(globalThis, "layoutShifts", { get: () => shifts });
    const isShift = (entry: PerformanceEntry): entry is Shift => entry.entryType === "layout-shift";
    const placeOf = ({ x, y, width, height }: DOMRectReadOnly): string => `${width}×${height} at ${x},${y}`;
    const nameOf = (node: Node | null): string => {
      const element = node instanceof Element ? node : node?.parentElement;
      const text = node instanceof Element ? "" : ` with the text "${node?.textContent?.slice(0, 60)}"`;
      return element == null ? "a node that is gone" : `${element.outerHTML.slice(0, 160)}${text}`;
    };
    new PerformanceObserver((list) => {
      for (const { value, startTime, sources } of list.getEntries().filter(isShift)) {
        const moves = sources.map(
          ({ node, previousRect, currentRect }) =>
            `${nameOf(node)} from ${placeOf(previousRect)} to ${placeOf(currentRect)}`,
        );
        shifts.push(`${value} after ${Math.round(startTime)} ms: ${moves.join("; ")}`);
      }
    }).observe({ type: "layout-shift", buffered: true });
  });

/** Returns a line for each layout shift since the page was opened: its size, and the elements that moved with their places. */
export const layoutShifts = (page: Page): Promise<string[]> =>
  page.evaluate(
    () =>
      new Promise<string[]>((resolve) => {
        // The observer has a frame's shifts once the next one is drawn.
        requestAnimationFrame(() => setTimeout(() => resolve(Reflect.get(globalThis, "layoutShifts"))));
      }),
  );

/** The parts of a page that the server renders and the app renders again. The rows of the tree are others, at the same places. */
const parts =
  ".bar-home, .bar-account, .sidebar a.row-link:not([data-indent]), .sidebar h2, main .crumbs, main h1, main .facts, main .tags, main .notice, article > *, " +
  "main h2, main .rows > li, main .properties > div, main .search-form, main .outline-fold, .aside a";

/** Returns a line for each part of the page that is shown: its text and its place. Elements that are new count too. */
export const placesOfParts = (page: Page): Promise<string[]> =>
  page.evaluate((selector) => {
    const textOf = (part: Element): string => {
      const copy = part.cloneNode(true);
      if (!(copy instanceof Element)) return "";
      // Additions of the app to the text of a document take no room in it.
      for (const added of copy.querySelectorAll(".heading-link, .copy-code")) added.remove();
      // The server's lines end between elements, the app's do not.
      return copy.textContent.replace(/\s+/g, "").slice(0, 60);
    };
    return [...document.querySelectorAll(selector)]
      .filter((part) => part.checkVisibility())
      .map((part) => {
        const { x, y, height } = part.getBoundingClientRect();
        return `“${textOf(part)}” at ${Math.round(x)},${Math.round(y)}, ${Math.round(height)} high`;
      });
  }, parts);
