/** Lets the keyboard reach those of these blocks that scroll. Those that stay as they are keep the focus. */
export function markScrolling(blocks: readonly Element[]): void {
  // All are measured before one is changed, which costs one layout.
  const changed = blocks
    .map((block) => ({ block, scrolls: block.scrollWidth > block.clientWidth }))
    .filter(({ block, scrolls }) => block.hasAttribute("tabindex") !== scrolls);
  for (const { block, scrolls } of changed) {
    if (scrolls) block.setAttribute("tabindex", "0");
    else block.removeAttribute("tabindex");
  }
}
