import fc from "fast-check";
import { expect, it } from "vitest";
import { slice } from "./slice.ts";

const texts = fc.string({ unit: fc.constantFrom("a", "\n", "é", "🐌", "\r"), maxLength: 60 });

it("slices that follow each other make up the whole, in pieces of the length asked for, and split no character", () => {
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 40 }), (text, length) => {
      let whole = "";
      for (let offset: number | undefined = 0; offset !== undefined; ) {
        const part = slice(text, offset, length);
        // A character of two units goes whole into a slice of one.
        expect(part.text.length).toBeLessThanOrEqual(Math.max(length, 2));
        expect(part.text.isWellFormed()).toBe(true);
        if (part.nextOffset !== undefined) expect(part.nextOffset).toBeGreaterThan(offset);
        whole += part.text;
        offset = part.nextOffset;
      }
      expect(whole).toBe(text);
    }),
  );
});

it("a slice ends with a line where one ends in its second half", () => {
  expect(slice("one\ntwo\nthree", 0, 9)).toEqual({ text: "one\ntwo\n", nextOffset: 8 });
  expect(slice("one\ntwothree", 0, 9)).toEqual({ text: "one\ntwoth", nextOffset: 9 });
});

it("behind the end there is nothing", () => {
  expect(slice("abc", 3, 5)).toEqual({ text: "", nextOffset: undefined });
  expect(slice("abc", 99, 5)).toEqual({ text: "", nextOffset: undefined });
});
