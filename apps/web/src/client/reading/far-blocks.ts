import { beginWork } from "../app/settled.ts";

/** The blocks at the top that the style lays out at once, as `prose.css` has it. */
const mostNear = 49;
/** The blocks that are laid out in one go: a few milliseconds of work. */
const blocksAtOnce = 80;
/** The longest wait for a moment without work. A page in the background has none. */
const mostWaitMs = 500;

/**
 * Lets the browser lay out the server's article as a whole at once if the reader is not at its beginning: with the places of
 * blocks that are only estimated, the page would show another one.
 */
export function layOutUnlessAtTop(): void {
  const article = document.querySelector<HTMLElement>("article[data-far]");
  if (article === null) return;
  const [visit] = performance.getEntriesByType("navigation");
  const isReturn = visit instanceof PerformanceNavigationTiming && visit.type !== "navigate";
  if (isReturn || location.hash !== "" || scrollY > 0) delete article.dataset.far;
}

/**
 * Marks the far blocks of the server's article themselves, before it is put into the page of the app, where all of it gets its style
 * anyway. Later, a change of one mark for all of them would cost the style of the whole article within one task.
 */
export function markFarBlocks(article: HTMLElement): void {
  if (article.dataset.far === undefined) return;
  delete article.dataset.far;
  for (const block of [...article.children].slice(mostNear)) if (block instanceof HTMLElement) block.dataset.far = "";
}

/** Returns the blocks of an article that are laid out at once: all of them, but for the server's article at the start. */
export const nearBlocksOf = (article: HTMLElement): Element[] => [...article.children].filter((block) => !isFar(block));

const isFar = (block: Element): block is HTMLElement => block instanceof HTMLElement && block.dataset.far !== undefined;

/**
 * Lays out the blocks far below the top of the server's article, which their style leaves out until then, in short steps while
 * nothing else is to be done. From then on the page has its whole height. Calls `prepare` with the blocks of each step before that.
 * Returns a function that ends it.
 */
export function layOutFarBlocks(article: HTMLElement, prepare: (blocks: readonly Element[]) => void): () => void {
  const waiting = [...article.children].filter(isFar);
  if (waiting.length === 0) return () => {};
  const endWork = beginWork();
  let cancel = (): void => {};
  const takeBlocks = (count: number): Element[] => {
    const blocks = waiting.splice(0, count);
    for (const block of blocks) delete block.dataset.far;
    return blocks;
  };
  const step = (): void => {
    prepare(takeBlocks(blocksAtOnce));
    if (waiting.length > 0) cancel = whenIdle(step);
    else endWork();
  };
  cancel = whenIdle(step);
  return () => {
    if (waiting.length === 0) return;
    cancel();
    takeBlocks(waiting.length);
    endWork();
  };
}

/** Calls a function once the page has nothing else to do. Returns a function that prevents it. */
function whenIdle(run: () => void): () => void {
  // Not every browser has it.
  if (typeof requestIdleCallback !== "function") {
    const timer = setTimeout(run);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(run, { timeout: mostWaitMs });
  return () => cancelIdleCallback(handle);
}
