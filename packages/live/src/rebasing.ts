import type { Node } from "prosemirror-model";
import { type Mappable, Mapping, type Step, type StepMap } from "prosemirror-transform";
import { InsertedContent, insertedContent } from "./inserted.ts";
import { type MappedStep, mapStep } from "./map-step.ts";
import { joinRanges, type Range, withoutRanges } from "./ranges.ts";
import { MAX_RANGES } from "./replace-ranges-step.ts";

/** How many positions one rebase may map to find out which of an author's own text a deletion spares. */
const MAX_MAPPED = 2_000_000;

/**
 * Late steps on their way onto what was accepted before them. Positions of a late step go back through the late steps
 * before it, over what was accepted meanwhile, and forward again through the rebased forms. The way back and the way
 * forward of a step mirror each other, so that a position inside of what the step inserted is found again.
 */
export class Rebasing {
  readonly #steps: readonly Step[];
  readonly #mapping = new Mapping();
  /** Content that others inserted, in positions of the document as it is now. */
  readonly #foreign = new InsertedContent();
  /**
   * Content that the late steps inserted: in their own positions, before the step `#ownEnd`. Each range is of one insertion,
   * because two that touch here need not touch where they were placed.
   */
  #own: readonly Range[] = [];
  #ownEnd = 0;
  /** Content that their rebased forms inserted, in positions of the document as it is now. */
  readonly #placed = new InsertedContent();
  readonly #removals = { left: MAX_RANGES };
  #mappedLeft = MAX_MAPPED;

  constructor(steps: readonly Step[]) {
    this.#steps = steps;
    for (const step of [...steps].reverse()) this.#mapping.appendMap(step.getMap().invert());
  }

  /** Takes up a step of somebody else. */
  addForeign(step: Step): void {
    this.#mapping.appendMap(step.getMap());
    this.#foreign.add(step);
  }

  /** Returns the form in which the late step with this index applies to the document as it is now. */
  map(index: number, doc: Node): MappedStep {
    const over = this.#mapping.slice(this.#steps.length - index);
    const spared = (mapped: Range, sent: Range): readonly Range[] | null => this.#spared(index, over, mapped, sent);
    return mapStep(this.#step(index), { doc, over, spared, budget: this.#removals });
  }

  /** Takes up the form in which the late step with this index applies. Returns true where it mirrors the way back. */
  addPlaced(index: number, placed: Step): boolean {
    const map = placed.getMap();
    const isMirror = insertsAlike(this.#step(index).getMap(), map);
    this.#mapping.appendMap(map, isMirror ? this.#steps.length - 1 - index : undefined);
    this.#placed.add(placed);
    // Without a mirror nothing tells later which of it a deletion means, so that it stays.
    if (isMirror) this.#foreign.map(map);
    else this.#foreign.add(placed);
    return isMirror;
  }

  /**
   * Returns what a deletion of the late step with this index leaves: all that others inserted, and what lay beside the
   * range that was sent. The latter can lie inside of the mapped range where others deleted the text between the two, and
   * where text of the author, in which the range begins or ends, has another place. Null where that is too much to find out.
   */
  #spared(index: number, over: Mapping, mapped: Range, sent: Range): readonly Range[] | null {
    const foreign = this.#foreign.within(mapped);
    if (this.#placed.within(mapped).length === 0) return foreign;
    for (; this.#ownEnd < index; this.#ownEnd++) this.#own = withOwnStep(this.#own, this.#step(this.#ownEnd));
    const beside = this.#own.flatMap((range) => withoutRanges(range, [sent]));
    this.#mappedLeft -= (beside.length + 4) * (this.#mapping.maps.length + 1);
    if (this.#mappedLeft < 0) return null;
    const own = beside
      .map((range) => mapWithin(over, range))
      .filter(({ from, to }) => from < mapped.to && to > mapped.from);
    return joinRanges([...foreign, ...own, ...this.#earlierBeside(index, mapped, sent)]);
  }

  /** Returns what is older than the late steps, inside of a mapped range, and not inside of the range that was sent. */
  #earlierBeside(index: number, mapped: Range, sent: Range): readonly Range[] {
    const { maps } = this.#mapping;
    const base = this.#steps.length;
    const meant = mapWithin(this.#mapping.slice(base - index, base), sent);
    const back = new Mapping(
      maps
        .slice(base)
        .reverse()
        .map((map) => map.invert()),
    );
    const met = mapWithin(back, mapped);
    const beside = meant.from < meant.to ? withoutRanges(met, [meant]) : [met];
    const placed = this.#placed.within(mapped);
    const forward = this.#mapping.slice(base);
    return beside.flatMap((range) => withoutRanges(mapWithin(forward, range), placed));
  }

  #step(index: number): Step {
    const step = this.#steps[index];
    if (step === undefined) throw new RangeError(`There is no step ${index}`);
    return step;
  }
}

/** Maps a range so that it covers nothing beside it. */
function mapWithin(over: Mappable, { from, to }: Range): Range {
  return { from: over.map(from, 1), to: over.map(to, -1) };
}

/** Moves, shortens and splits ranges by a step, and adds those that it inserts. */
function withOwnStep(ranges: readonly Range[], step: Step): readonly Range[] {
  const map = step.getMap();
  const changed: Range[] = [];
  map.forEach((from, to) => void changed.push({ from, to }));
  const kept = ranges.flatMap((range) => withoutRanges(range, changed));
  return [...kept.map((range) => mapWithin(map, range)), ...insertedContent(step)];
}

/** True where each insertion of the one map has its counterpart in the other, which finding positions again relies on. */
function insertsAlike(one: StepMap, other: StepMap): boolean {
  const sizes = sizesOf(other);
  return sizesOf(one).every((size, index) => size === 0 || size === sizes[index]);
}

function sizesOf(map: StepMap): readonly number[] {
  const sizes: number[] = [];
  map.forEach((_oldStart, _oldEnd, newStart, newEnd) => void sizes.push(newEnd - newStart));
  return sizes;
}
