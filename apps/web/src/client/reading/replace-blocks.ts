/** The markup of a block before anything was added to it in the page. */
const originals = new WeakMap<Element, string>();

/** Records the markup of blocks of an article before anything is added to them, so that a later version replaces only those that differ. */
export function recordBlocks(blocks: Iterable<Element>): void {
  for (const block of blocks) if (!originals.has(block)) originals.set(block, markupOf(block));
}

/** Lets the next version replace the block around an element, whatever it has there: what the block shows was changed in the page. */
export function forgetBlock(element: Element): void {
  const block = element.closest("article > *");
  if (block !== null) originals.delete(block);
}

const serializer = new XMLSerializer();
const markupOf = (block: Element): string => serializer.serializeToString(block);

/**
 * Makes an article show another version. Blocks that are the same at its beginning and its end remain the same elements,
 * with the selection and the focus in them, and the block at the top of the window stays where it is.
 */
export function replaceBlocks(article: HTMLElement, version: DocumentFragment): void {
  const before = [...article.children];
  recordBlocks(before);
  const after = [...version.children];
  let start = 0;
  while (start < before.length && start < after.length && isSame(before[start], after[start])) start += 1;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && isSame(before.at(-1 - end), after.at(-1 - end))) end += 1;
  const added = after.slice(start, after.length - end);
  for (const block of added) originals.set(block, markupOf(block));
  keepingPosition([...before.slice(0, start), ...before.slice(before.length - end)], () => {
    for (const block of before.slice(start, before.length - end)) block.remove();
    const following = before[before.length - end];
    for (const block of added) article.insertBefore(block, following ?? null);
  });
}

function isSame(before: Element | undefined, after: Element | undefined): boolean {
  return before !== undefined && after !== undefined && originals.get(before) === markupOf(after);
}

/** Changes the page and scrolls by as much as the first remaining block in the window has moved. */
function keepingPosition(remaining: readonly Element[], change: () => void): void {
  const anchor = remaining.find((block) => block.getBoundingClientRect().bottom > 0) ?? remaining.at(-1);
  const top = anchor?.getBoundingClientRect().top ?? 0;
  change();
  if (anchor === undefined || scrollY === 0) return;
  const moved = anchor.getBoundingClientRect().top - top;
  if (moved !== 0) scrollBy({ top: moved, behavior: "instant" });
}
