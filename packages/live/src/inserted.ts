import type { Slice } from "prosemirror-model";
import { AttrStep, ReplaceAroundStep, ReplaceStep, type Step, type StepMap } from "prosemirror-transform";
import { leafText, writtenText } from "./leaf-text.ts";
import { joinRanges, type Range } from "./ranges.ts";
import { ReplaceRangesStep } from "./replace-ranges-step.ts";

/** Returns where the text and the leaves that a step inserts, or writes the text of, lie in the document after it. */
export function insertedContent(step: Step): readonly Range[] {
  if (step instanceof ReplaceStep) return contentOf(step.slice, step.from);
  if (step instanceof ReplaceAroundStep) {
    const { from, slice, insert, gapFrom, gapTo } = step;
    const end = from + insert;
    const gap = gapTo - gapFrom;
    return contentOf(slice, from).map((range) =>
      range.from < end ? range : { from: range.from + gap, to: range.to + gap },
    );
  }
  if (step instanceof AttrStep) return writtenText(step) === null ? [] : [{ from: step.pos, to: step.pos + 1 }];
  if (!(step instanceof ReplaceRangesStep)) return [];
  const ranges: Range[] = [];
  let shift = 0;
  for (const { from, to, slice } of step.replacements) {
    ranges.push(...contentOf(slice, from + shift));
    shift += slice.size - (to - from);
  }
  return ranges;
}

/** Returns the text of slices, one after the other; see `textOf`. */
export function textOfAll(slices: readonly Slice[]): string {
  return slices
    .map(textOf)
    .filter((text) => text !== "")
    .join("\n");
}

/** Returns the text of a slice, its blocks separated by line feeds; leaves as `leafText`. */
export function textOf({ content }: Slice): string {
  return content.textBetween(0, content.size, "\n", leafText);
}

function contentOf({ content, openStart }: Slice, start: number): readonly Range[] {
  const ranges: Range[] = [];
  content.descendants((node, position) => {
    const from = start + position - openStart;
    if (node.isLeaf) ranges.push({ from, to: from + node.nodeSize });
  });
  return ranges;
}

/** The text and leaves that steps inserted and later ones did not delete, in positions of the document after them. */
export class InsertedContent {
  #ranges: readonly Range[] = [];

  /** Sorted; no two touch. */
  get ranges(): readonly Range[] {
    return this.#ranges;
  }

  /** Returns those that share a position with a range. */
  within({ from, to }: Range): readonly Range[] {
    return this.#ranges.filter((range) => range.from < to && range.to > from);
  }

  /** Takes up what a step inserts, and moves or shortens what was there before it. */
  add(step: Step): void {
    this.#ranges = joinRanges([...moved(this.#ranges, step.getMap()), ...insertedContent(step)]);
  }

  /** Moves or shortens the ranges, after a step whose own insertions do not count. */
  map(map: StepMap): void {
    this.#ranges = joinRanges(moved(this.#ranges, map));
  }
}

function moved(ranges: readonly Range[], map: StepMap): readonly Range[] {
  return ranges.map(({ from, to }) => ({ from: map.map(from, 1), to: map.map(to, -1) }));
}
