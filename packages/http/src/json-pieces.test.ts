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
