import fc from "fast-check";

/**
 * Any Unicode character except surrogates, as the unit of a random text. fast-check's own `binary` is the same set, but
 * first lists all 1.1 million characters, which takes longer than most tests.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10_ffff }))
  .map((codePoint) => String.fromCodePoint(codePoint));
