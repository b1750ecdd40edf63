import { type Node, type Schema, Slice } from "prosemirror-model";
import { type Mappable, Step, StepMap, StepResult } from "prosemirror-transform";
import { TouchingMap } from "./touching-map.ts";
import { tryStep } from "./try-step.ts";

/** A range and the slice that takes its place. Positions are those of the document before the step. */
export interface Replacement {
  readonly from: number;
  readonly to: number;
  readonly slice: Slice;
}

/** At most this many ranges in one step. */
export const MAX_RANGES = 1_000;

/**
 * Replaces several ranges of a document in one step: a deletion that spares what others wrote inside of it. It is one
 * step, not several, so that each step that was sent corresponds to at most one accepted step: the mapping of
 * positions and the undo history rely on that.
 */
export class ReplaceRangesStep extends Step {
  /** Sorted; no two overlap. */
  readonly replacements: readonly Replacement[];

  constructor(replacements: readonly Replacement[]) {
    super();
    this.replacements = replacements;
  }

  /** Applies the ranges from the last to the first, or from the first to the last where only that order is valid. */
  override apply(doc: Node): StepResult {
    const backwards = applyInOrder(doc, [...this.replacements].reverse(), false);
    return backwards.doc === null ? applyInOrder(doc, this.replacements, true) : backwards;
  }

  override getMap(): StepMap {
    const ranges = this.replacements.flatMap(({ from, to, slice }) => [from, to - from, slice.size]);
    const touch = this.replacements.some(({ from }, index) => from === this.replacements[index - 1]?.to);
    return touch ? new TouchingMap(ranges) : new StepMap(ranges);
  }

  override invert(doc: Node): Step {
    let shift = 0;
    const inverted = this.replacements.map(({ from, to, slice }): Replacement => {
      const start = from + shift;
      shift += slice.size - (to - from);
      return { from: start, to: start + slice.size, slice: doc.slice(from, to) };
    });
    return new ReplaceRangesStep(inverted);
  }

  /**
   * Keeps all ranges, and what they insert: the undo history finds positions inside of the one step again by the number of a range
   * in the other, and by the place in its slice. A range whose place was deleted deletes nothing more.
   */
  override map(mapping: Mappable): Step | null {
    let isDeleted = true;
    let least = 0;
    const mapped = this.replacements.map(({ from, to, slice }): Replacement => {
      const start = mapping.mapResult(from, 1);
      const end = mapping.mapResult(to, -1);
      const isPlaceDeleted = start.deletedAcross && end.deletedAcross;
      isDeleted &&= isPlaceDeleted;
      const first = Math.max(start.pos, least);
      least = isPlaceDeleted ? first : Math.max(first, end.pos);
      return { from: first, to: least, slice };
    });
    return isDeleted ? null : new ReplaceRangesStep(mapped);
  }

  override toJSON(): unknown {
    return {
      stepType: "replaceRanges",
      ranges: this.replacements.map(({ from, to, slice }) =>
        slice.size === 0 ? { from, to } : { from, to, slice: slice.toJSON() },
      ),
    };
  }

  /** @throws {RangeError} Where the JSON is not such a step: at least one range, sorted, without overlap. */
  static override fromJSON(schema: Schema, json: unknown): ReplaceRangesStep {
    return new ReplaceRangesStep(readReplacements(schema, json));
  }
}

Step.jsonID("replaceRanges", ReplaceRangesStep);

function applyInOrder(doc: Node, replacements: readonly Replacement[], isForwards: boolean): StepResult {
  let result = doc;
  let shift = 0;
  for (const { from, to, slice } of replacements) {
    const next = tryStep(() => StepResult.fromReplace(result, from + shift, to + shift, slice));
    if (next === null) return StepResult.fail("A range cannot be replaced");
    result = next;
    if (isForwards) shift += slice.size - (to - from);
  }
  return StepResult.ok(result);
}

function readReplacements(schema: Schema, json: unknown): readonly Replacement[] {
  const { ranges } = asFields(json);
  if (!Array.isArray(ranges) || ranges.length === 0 || ranges.length > MAX_RANGES) {
    throw new RangeError(`A step has 1 to ${MAX_RANGES} ranges`);
  }
  let end = 0;
  return ranges.map((range: unknown): Replacement => {
    const { from, to, slice } = asFields(range);
    if (!isPosition(from) || !isPosition(to) || from < end || to < from) {
      throw new RangeError("Ranges are sorted and do not overlap");
    }
    end = to;
    return { from, to, slice: slice === undefined ? Slice.empty : Slice.fromJSON(schema, slice) };
  });
}

function asFields(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) throw new RangeError("A step consists of objects");
  return { ...value };
}

function isPosition(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
