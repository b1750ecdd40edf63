import { describe, expect, it } from "vitest";
import { rangeAt, windowOf } from "../src/client/tree/window-of.ts";

const rowHeight = 32;
const screen = 20 * rowHeight;
const shown = (offset: number): number[] => {
  const { first, end } = rangeAt(offset, screen, rowHeight);
  return Array.from({ length: end - first }, (_, index) => first + index);
};

describe("the rows of a tree that are in the page", () => {
  it("are those on the screen and at least four on both sides, wherever it is scrolled", () => {
    for (let offset = 0; offset < 40 * rowHeight; offset += 7) {
      const rows = shown(offset);
      expect(rows[0]).toBeLessThanOrEqual(Math.floor(offset / rowHeight) - 4);
      expect(rows.at(-1)).toBeGreaterThanOrEqual(Math.ceil((offset + screen) / rowHeight) + 3);
      expect(rows.length).toBeLessThanOrEqual(32);
    }
  });

  it("change once for each four rows of a slow scroll, and by a screen of rows for a whole screen", () => {
    const changes = new Set(Array.from({ length: 400 }, (_, row) => shown((row * rowHeight) / 10).join()));
    expect(changes.size).toBeLessThanOrEqual(22);
    const before = new Set(shown(0));
    expect(shown(screen).filter((row) => !before.has(row))).toHaveLength(20);
  });

  it("stand below each other without a space, and further ones at their places", () => {
    const items = windowOf({ first: -4, end: 3 }, 100, [50, 1, -1, 100], rowHeight);
    expect(items).toEqual([
      { index: 0, space: 0 },
      { index: 1, space: 0 },
      { index: 2, space: 0 },
      { index: 50, space: 47 * rowHeight },
    ]);
    expect(windowOf({ first: 96, end: 120 }, 98, [2], rowHeight)).toEqual([
      { index: 2, space: 2 * rowHeight },
      { index: 96, space: 93 * rowHeight },
      { index: 97, space: 0 },
    ]);
  });
});
