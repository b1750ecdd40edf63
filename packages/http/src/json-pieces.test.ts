import fc from "fast-check";
import { expect, it } from "vitest";
import { encodePieces, jsonPieces, rowParts } from "./json-pieces.ts";

const json = (body: unknown): string => jsonPieces(body).join("");

it("the pieces of an answer are its JSON", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.array(fc.jsonValue()), (value, data) => {
      for (const body of [value, { data }, { total: 1, value, data, tail: value }, { data: value }]) {
        expect(json(body)).toBe(JSON.stringify(body));
      }
    }),
  );
});

it("leaves out what JSON leaves out", () => {
  for (const body of [
    { first: undefined, data: [{ a: undefined }, undefined], last: undefined },
    { data: undefined },
  ]) {
    expect(json(body)).toBe(JSON.stringify(body));
  }
});

it("pieces are encoded as UTF-8, as JSON escapes lone surrogates", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "binary" })), (data) => {
      const all = [...data, "", "é", "依赖", "👩‍💻", "\ud83d", "\udc69"];
      expect(new TextDecoder().decode(encodePieces(jsonPieces({ data: all })))).toBe(JSON.stringify({ data: all }));
    }),
  );
});

it.each([10, 1_000_000])("%i texts after one of another length have the bytes of their own", (count) => {
  encodePieces(jsonPieces({ data: ["依赖".repeat(1_000)] }));
  const data = Array.from({ length: count }, () => "é");
  expect(Buffer.compare(encodePieces(jsonPieces({ data })), Buffer.from(JSON.stringify({ data })))).toBe(0);
});

it("a list without pages may have any number of rows", () => {
  const data = Array.from({ length: 200_000 }, (_, index) => index);
  expect(json({ data })).toBe(JSON.stringify({ data }));
});

/** Texts of 50,001 to 80,000 units with surrogates, some of them alone, at every place in a slice. */
const longTexts = fc
  .tuple(
    fc.array(fc.string({ unit: "binary", minLength: 1 }), { minLength: 1 }),
    fc.integer({ min: 50_001, max: 80_000 }),
  )
  .map(([parts, length]) => [...parts, "👩‍💻\ud83d"].join("").repeat(length).slice(0, length));

it("the long strings of a row are written in slices, which are its JSON", () => {
  fc.assert(
    fc.property(longTexts, fc.jsonValue(), fc.boolean(), (text, value, begins) => {
      const rows = [{ id: 1, text, left: undefined, value, markdown: text }, value, { text }, {}];
      const parts = [...rowParts(rows, begins)];
      const written = new TextDecoder().decode(Buffer.concat(parts.map(encodePieces)));
      expect(`${begins ? "" : "["}${written}`.replace(/^\[,/, "[")).toBe(
        JSON.stringify(rows).slice(begins ? 1 : 0, -1),
      );
      expect(json({ data: rows })).toBe(JSON.stringify({ data: rows }));
    }),
    { numRuns: 30 },
  );
});

it("rows are sent in parts of at most some 250,000 characters, however long one of them is", () => {
  const rows = [{ text: "依".repeat(1_400_000) }, ...Array.from({ length: 40_000 }, (_, id) => ({ id }))];
  const lengths = [...rowParts(rows, true)].map((part) => part.join("").length);
  expect(lengths.length).toBeGreaterThan(6);
  expect(Math.max(...lengths)).toBeLessThan(300_000);
  expect([...rowParts([], true)]).toEqual([]);
});
