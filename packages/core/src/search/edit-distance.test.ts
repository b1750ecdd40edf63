import fc from "fast-check";
import { expect, test } from "vitest";
import { withinOneEdit } from "./edit-distance.ts";

test.each([
  ["kubernetes", "kuberntes"],
  ["kubernetes", "kubernettes"],
  ["kubernetes", "kubernates"],
  ["kubernetes", "kuebrnetes"],
  ["kubernetes", "ubernetes"],
  ["kubernetes", "kubernetse"],
])("%s is one slip from %s", (left, right) => expect(withinOneEdit(left, right)).toBe(true));

test.each([
  ["kubernetes", "kubrntes"],
  ["abcd", "badc"],
  ["abcd", "cbad"],
  ["kubernetes", "kubernetesss"],
])("%s is more than one slip from %s", (left, right) => expect(withinOneEdit(left, right)).toBe(false));

test("every single slip is found, in both directions", () => {
  const word = fc.array(fc.constantFrom(..."abcé𐐨"), { minLength: 2, maxLength: 8 });
  const slip = fc.tuple(
    word,
    fc.nat(7),
    fc.constantFrom(..."xyz"),
    fc.constantFrom("insert", "drop", "replace", "swap"),
  );
  fc.assert(
    fc.property(slip, ([letters, place, letter, kind]) => {
      const at = place % letters.length;
      const [here = "", next = ""] = letters.slice(at, at + 2);
      const middle = { insert: [letter, here], drop: [], replace: [letter], swap: [next, here] }[kind];
      const rest = letters.slice(at + (kind === "swap" && next !== "" ? 2 : 1));
      const left = letters.join("");
      const right = [...letters.slice(0, at), ...middle, ...rest].join("");
      expect(withinOneEdit(left, right) && withinOneEdit(right, left)).toBe(true);
    }),
  );
});
