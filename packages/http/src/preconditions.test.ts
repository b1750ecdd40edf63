import { describe, expect, it } from "vitest";
import { hasNoneMatchTag, readIfMatch } from "./preconditions.ts";

describe("If-Match (RFC 9110 §13.1.1)", () => {
  it("a missing header and * require no particular revision", () => {
    expect(readIfMatch(undefined)).toBeUndefined();
    expect(readIfMatch("*")).toBeUndefined();
    expect(readIfMatch("  * ")).toBeUndefined();
  });

  it("one tag requires one revision, several require any of them", () => {
    expect(readIfMatch('"3"')).toEqual([3]);
    expect(readIfMatch('"3", "4","5" ')).toEqual([3, 4, 5]);
    expect(readIfMatch(', "3", ,')).toEqual([3]);
  });

  it("a weak tag and a tag that is not a revision never match", () => {
    expect(readIfMatch('W/"3"')).toEqual([]);
    expect(readIfMatch('W/"3", "4"')).toEqual([4]);
    expect(readIfMatch('"abc"')).toEqual([]);
    expect(readIfMatch('"03"')).toEqual([]);
    expect(readIfMatch('"a,b", "7"')).toEqual([7]);
  });

  it.each(["3", '"3', 'w/"3"', "", ",", '"3" "4"', "'3'"])("%j is not a list of entity tags: 400", (header) => {
    expect(() => readIfMatch(header)).toThrowError(expect.objectContaining({ code: "validation_error" }));
  });
});

it("a header of white space is read in one pass", () => {
  // A second pass for each space would take minutes.
  const header = `"1",${" ".repeat(500_000)}x`;
  expect(() => readIfMatch(header)).toThrowError(expect.objectContaining({ code: "validation_error" }));
  expect(hasNoneMatchTag(header, 1)).toBe(false);
});

describe("If-None-Match (RFC 9110 §13.1.2)", () => {
  it("matches a revision by a strong tag, a weak tag, a list, or *", () => {
    for (const header of ['"3"', 'W/"3"', '"1", "3"', "*"]) expect(hasNoneMatchTag(header, 3)).toBe(true);
  });

  it("does not match another revision, and a malformed header matches none", () => {
    for (const header of [undefined, '"2"', '"33"', "3", '"3']) expect(hasNoneMatchTag(header, 3)).toBe(false);
  });
});
