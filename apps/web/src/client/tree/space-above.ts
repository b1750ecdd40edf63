import type { CSSProperties } from "react";

/** Returns the style of a row with a space above it, in pixels. Without one a row needs no style of its own, and shares that of the others. */
export const spaceAbove = (space: number): CSSProperties | undefined =>
  space === 0 ? undefined : { marginBlockStart: space };
