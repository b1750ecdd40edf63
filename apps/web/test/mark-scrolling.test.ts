import { expect, it } from "vitest";
import { markScrolling } from "../src/client/reading/mark-scrolling.ts";

/** A block that is 100 pixels wide, as much of an element as is used here, and what was done to it. */
function blockOf(scrollWidth: number, isReachable: boolean) {
  const done: string[] = [];
  const block = {
    clientWidth: 100,
    scrollWidth,
    hasAttribute: () => isReachable,
    setAttribute: (...set: readonly string[]) => done.push(set.join("=")),
    removeAttribute: (name: string) => done.push(`no ${name}`),
  };
  return { block: block as unknown as Element, done };
}

it("lets the keyboard reach blocks that scroll, and leaves those alone that stay as they are", () => {
  const blocks = [blockOf(200, false), blockOf(200, true), blockOf(100, true), blockOf(100, false)];
  markScrolling(blocks.map(({ block }) => block));
  // Without its attribute even for a moment, a block would lose the focus.
  expect(blocks.map(({ done }) => done)).toEqual([["tabindex=0"], [], ["no tabindex"], []]);
});
