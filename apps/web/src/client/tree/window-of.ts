import type { Row } from "./rows.ts";
import type { ScrollPlace } from "./server-tree.ts";

/** Rows from `first` to before `end`. */
export type RowRange = { readonly first: number; readonly end: number };

/** Rows above and below the screen that are in the page too, at least. */
const overscan = 4;
/** The range moves by this many rows at once, so that a slow scroll renders seldom. */
const step = 4;

/** Returns the rows to render while an area of this height shows the tree from this distance below its top, in pixels. */
export function rangeAt(offset: number, height: number, rowHeight: number): RowRange {
  const first = Math.floor((Math.floor(offset / rowHeight) - overscan) / step) * step;
  const end = Math.ceil((Math.ceil((offset + height) / rowHeight) + overscan) / step) * step;
  return { first, end };
}

type Beginning = {
  readonly currentKey: string | undefined;
  /** Where the reader has scrolled to already. */
  readonly place: ScrollPlace | undefined;
  readonly height: number;
  readonly rowHeight: number;
  readonly margin: number;
};

/**
 * Returns how far the area is scrolled at the beginning: to the place of the reader, else so far that a row of the page which is far down has
 * others above and below it. Scrolled there later, all rows would be rendered twice.
 */
export function firstScrollTop(rows: readonly Row[], beginning: Beginning): number {
  const { currentKey, place, height, rowHeight, margin } = beginning;
  const topOf = (wanted: string | undefined): number => rowHeight * rows.findIndex(({ key }) => key === wanted);
  if (place !== undefined) {
    const top = topOf(place.key);
    return top < 0 ? place.scrollTop : margin + top + place.distance;
  }
  const top = topOf(currentKey);
  return top < height / 2 ? 0 : margin + top - height / 4;
}

/** Returns the rows of a range and further ones, from the top, each with its distance from the row before it, in pixels. */
export function windowOf(
  { first, end }: RowRange,
  count: number,
  further: readonly number[],
  rowHeight: number,
): { index: number; space: number }[] {
  const indexes = new Set(further.filter((index) => index >= 0 && index < count));
  for (let index = Math.max(0, first); index < Math.min(count, end); index += 1) indexes.add(index);
  let next = 0;
  return [...indexes]
    .sort((one, other) => one - other)
    .map((index) => {
      const space = (index - next) * rowHeight;
      next = index + 1;
      return { index, space };
    });
}
