import fc from "fast-check";
import { Mapping } from "prosemirror-transform";
import { describe, expect, it } from "vitest";
import { TouchingMap } from "./touching-map.ts";

type Range = readonly [start: number, before: number, after: number];

const sizes = fc.record({ gap: fc.nat(2), before: fc.nat(3), after: fc.nat(3) });

/** Ranges one after the other, many of which touch. */
const ranges = fc.array(sizes, { minLength: 1, maxLength: 5 }).map((all) => {
  let end = 1;
  return all.map(({ gap, before, after }): Range => {
    const start = end + gap;
    end = start + before;
    return [start, before, after];
  });
});

const length = 30;

describe("a map of ranges that touch", () => {
  it("maps each character that stays, and nothing beside it, there and back", () => {
    fc.assert(
      fc.property(ranges, (all) => {
        const map = new TouchingMap(all.flat());
        const back = map.invert();
        for (let from = 0; from < length; from += 1) {
          if (all.some(([start, before]) => start <= from && from < start + before)) continue;
          const earlier = all.filter(([start, before]) => start + before <= from);
          const mapped = earlier.reduce((sum, [, before, after]) => sum + after - before, from);
          expect([map.map(from, 1), map.map(from + 1, -1)]).toEqual([mapped, mapped + 1]);
          expect([back.map(mapped, 1), back.map(mapped + 1, -1)]).toEqual([from, from + 1]);
        }
      }),
    );
  });

  it("finds each position in what a range inserted again by its number", () => {
    fc.assert(
      fc.property(ranges, (all) => {
        const map = new TouchingMap(all.flat());
        const mapping = new Mapping();
        mapping.appendMap(map.invert());
        mapping.appendMap(map, 0);
        for (const side of [1, -1]) {
          map.forEach((_, __, from, to) => {
            for (let position = from + (side < 0 ? 1 : 0); position < to + (side < 0 ? 1 : 0); position += 1) {
              expect(mapping.map(position, side)).toBe(position);
            }
          });
        }
      }),
    );
  });
});
