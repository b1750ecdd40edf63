import { type Node, Slice } from "prosemirror-model";
import { AttrStep, type Mapping, ReplaceAroundStep, ReplaceStep, type Step } from "prosemirror-transform";
import { textOf, textOfAll } from "./inserted.ts";
import { insertAt } from "./insertion.ts";
import { writtenText } from "./leaf-text.ts";
import type { Range } from "./ranges.ts";
import { type RemovalBudget, removeAround } from "./removal.ts";
import { MAX_RANGES, type Replacement, ReplaceRangesStep } from "./replace-ranges-step.ts";
import { tryStep } from "./try-step.ts";

/** Where and over what a step is mapped. */
export interface Place {
  /** The document to which the step will apply. */
  readonly doc: Node;
  /** From the document for which the step was made to this one. */
  readonly over: Mapping;
  /**
   * Returns the content inside of a range of this document that a deletion leaves, sorted and not touching; `sent` is
   * the range as its author sent it. Null where the deletion is not to be applied at all.
   */
  readonly spared: (mapped: Range, sent: Range) => readonly Range[] | null;
  readonly budget: RemovalBudget;
}

/** A step in the form that applies, the document after it, and the text that found no place. */
export interface MappedStep {
  /** Null where nothing of the step applies. */
  readonly step: Step | null;
  readonly doc: Node;
  readonly lost: string;
}

/**
 * Maps a step over changes that its author had not seen, so that inserted content wins: a deletion spares what others
 * inserted, and an insertion keeps its place even if the text around it was deleted, as long as the schema allows it.
 */
export function mapStep(step: Step, place: Place): MappedStep {
  if (step instanceof ReplaceStep) return mapReplaceStep(step, place);
  if (step instanceof ReplaceRangesStep) return mapReplacements(step.replacements, place);
  if (step instanceof ReplaceAroundStep) return mapReplaceAroundStep(step, place);
  const lost = writtenText(step) ?? "";
  const mapped = step.map(place.over);
  if (mapped === null || isWrittenByOthers(step, mapped, place)) return { ...nothingOf(place), lost };
  const doc = tryStep(() => mapped.apply(place.doc));
  return doc === null ? { ...nothingOf(place), lost } : { step: mapped, doc, lost: "" };
}

/** The text of one attribute cannot be merged: what others wrote there stays. */
function isWrittenByOthers(step: Step, mapped: Step, place: Place): boolean {
  if (writtenText(step) === null || !(step instanceof AttrStep && mapped instanceof AttrStep)) return false;
  const leafAt = (from: number): Range => ({ from, to: from + 1 });
  return place.spared(leafAt(mapped.pos), leafAt(step.pos))?.length !== 0;
}

function mapReplaceStep(step: ReplaceStep, place: Place): MappedStep {
  const { slice } = step;
  const range = mapRange(step, place.over);
  const hasContent = textOf(slice) !== "";
  if (range.isDeleted && !hasContent) return nothingOf(place);
  if (place.spared(range, step)?.length === 0) {
    const whole = new ReplaceStep(range.from, range.to, slice, isStructural(step));
    const doc = tryStep(() => whole.apply(place.doc));
    if (doc !== null) return { step: whole, doc, lost: "" };
  }
  if (isStructural(step)) return nothingOf(place);
  return mapReplacements([{ from: step.from, to: step.to, slice: hasContent ? slice : Slice.empty }], place);
}

function mapReplaceAroundStep(step: ReplaceAroundStep, place: Place): MappedStep {
  const mapped = step.map(place.over);
  if (mapped instanceof ReplaceAroundStep) {
    const isFree =
      place.spared({ from: mapped.from, to: mapped.gapFrom }, { from: step.from, to: step.gapFrom })?.length === 0 &&
      place.spared({ from: mapped.gapTo, to: mapped.to }, { from: step.gapTo, to: step.to })?.length === 0;
    if (isFree) {
      const doc = tryStep(() => mapped.apply(place.doc));
      if (doc !== null) return { step: mapped, doc, lost: "" };
    }
  }
  const { from, gapFrom, gapTo, to, slice } = step;
  const lost = textOf(slice);
  if (isStructural(step)) return { ...nothingOf(place), lost };
  // Its ends delete, too: text that its author removed with them goes, as far as nobody wrote there.
  const ends = [
    { from, to: gapFrom, slice: Slice.empty },
    { from: gapTo, to, slice: Slice.empty },
  ].filter((end) => end.from < end.to);
  return { ...mapReplacements(ends, place), lost };
}

/** Maps ranges and their slices one by one, from the last to the first, into one step. */
function mapReplacements(replacements: readonly Replacement[], place: Place): MappedStep {
  let { doc } = place;
  const mapped: Replacement[] = [];
  const lost: string[] = [];
  for (const { from, to, slice } of [...replacements].reverse()) {
    const range = mapRange({ from, to }, place.over);
    const end = Math.min(range.to, mapped.at(-1)?.from ?? range.to);
    const start = Math.min(range.from, end);
    const spared = place.spared({ from: start, to: end }, { from, to });
    if (spared !== null) {
      const removal = removeAround(doc, { from: start, to: end }, spared, place.budget);
      ({ doc } = removal);
      for (const removed of removal.ranges) mapped.push({ ...removed, slice: Slice.empty });
    }
    if (slice.size === 0) continue;
    const insertion = insertAt(doc, start, slice);
    if (insertion === null) lost.push(textOf(slice));
    else {
      ({ doc } = insertion);
      mapped.push({ from: start, to: start, slice: insertion.slice });
    }
  }
  // A step beyond the limit could not be read again.
  if (mapped.length > MAX_RANGES)
    return { ...nothingOf(place), lost: textOfAll(replacements.map(({ slice }) => slice)) };
  const step = stepOf(mapped.reverse());
  return { step, doc: step === null ? place.doc : doc, lost: lost.reverse().join("\n") };
}

function stepOf(replacements: readonly Replacement[]): Step | null {
  const [first] = replacements;
  if (first === undefined) return null;
  return replacements.length === 1
    ? new ReplaceStep(first.from, first.to, first.slice)
    : new ReplaceRangesStep(replacements);
}

interface MappedRange extends Range {
  /** All of it was deleted meanwhile. */
  readonly isDeleted: boolean;
}

/** Maps a range so that it covers no more than it did; an empty one, which inserts, stays empty. */
function mapRange({ from, to }: Range, over: Mapping): MappedRange {
  const start = over.mapResult(from, 1);
  const end = over.mapResult(to, -1);
  return {
    from: start.pos,
    to: from === to ? start.pos : Math.max(start.pos, end.pos),
    isDeleted: start.deletedAcross && end.deletedAcross,
  };
}

function nothingOf({ doc }: Place): MappedStep {
  return { step: null, doc, lost: "" };
}

/** The flag guards against the loss of content; it is not part of the public type. */
function isStructural(step: ReplaceStep | ReplaceAroundStep): boolean {
  return Reflect.get(step, "structure") === true;
}
