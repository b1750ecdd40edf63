import fc from "fast-check";
import { expect, it } from "vitest";
import { encodePieces, jsonPieces } from "./json-pieces.ts";

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

it("pieces are encoded as UTF-8", () => {
  const pieces = ["", "a", "é", "依赖", "👩‍💻", "\ud800"];
  expect(new TextDecoder().decode(encodePieces(pieces))).toBe(`aé依赖👩‍💻\ufffd`);
});

it("a list without pages may have any number of rows", () => {
  const data = Array.from({ length: 200_000 }, (_, index) => index);
  expect(json({ data })).toBe(JSON.stringify({ data }));
});
