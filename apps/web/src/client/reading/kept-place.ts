/** A block among those that readers see, and how far below the top of the window it begins, in pixels. */
export type KeptPlace = { readonly block: number; readonly top: number };

/** The height of the bars that cover the text at the top of the window, in pixels: those of the page and of the editor. */
const coveredHeight = 128;

let kept: (KeptPlace & { readonly documentId: string }) | undefined;

/**
 * Records where the reader or the writer of a document is, for the page that shows it next: nobody looks for the line again. Returns
 * whether there is something to record: at the beginning there is not.
 */
export function keepPlace(documentId: string, text: Element | null | undefined): boolean {
  kept = undefined;
  if (!text || scrollY === 0) return false;
  // Blocks that are not laid out are out of sight. To say where they are, the browser would lay them out, over what follows.
  const places = blocksOf(text).map((each) =>
    each.checkVisibility?.({ contentVisibilityAuto: true }) === false ? undefined : each.getBoundingClientRect(),
  );
  // One that begins in the window, so that the caret in it does too; else the one that fills the window.
  const whole = places.findIndex((each) => each !== undefined && each.top >= coveredHeight && each.top < innerHeight);
  const block = whole >= 0 ? whole : places.findIndex((each) => each !== undefined && each.bottom > coveredHeight);
  const place = places[block];
  if (place === undefined) return false;
  kept = { documentId, block, top: place.top };
  return true;
}

/** Returns where the person was in a document on the page before, once. */
export function takePlace(documentId: string): KeptPlace | undefined {
  const place = kept?.documentId === documentId ? kept : undefined;
  kept = undefined;
  return place;
}

/** Returns the element of a block that was kept, or the last one of a text that has fewer blocks by now; undefined without any. */
export function blockAt(text: Element, { block }: KeptPlace): Element | undefined {
  const blocks = blocksOf(text);
  return blocks[block] ?? blocks.at(-1);
}

/** Only writers have the blocks that no reader sees, such as comments. */
const blocksOf = (text: Element): Element[] => [...text.children].filter((block) => !block.matches(".unseen"));

/** The pictures after which blocks that were out of sight are laid out. */
const pictures = 3;

/** Scrolls to a place: at once, and with the next pictures by what has moved since. */
export function scrollToPlace(place: KeptPlace, text: Element, left = pictures): void {
  const moved = (blockAt(text, place)?.getBoundingClientRect().top ?? place.top) - place.top;
  if (Math.abs(moved) >= 1) scrollBy({ top: moved, behavior: "instant" });
  if (left > 0) requestAnimationFrame(() => scrollToPlace(place, text, left - 1));
}
