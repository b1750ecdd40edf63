import { describe, expect, it } from "vitest";
import { ifNoneMatchNames, readIfMatch } from "./preconditions.ts";

describe("If-Match (RFC 9110 §13.1.1)", () => {
  it("no header and * guard against nothing in particular", () => {
    expect(readIfMatch(undefined)).toBeUndefined();
    expect(readIfMatch("*")).toBeUndefined();
    expect(readIfMatch("  * ")).toBeUndefined();
  });

  it("one tag is one revision, several are any of them", () => {
    expect(readIfMatch('"3"')).toEqual([3]);
    expect(readIfMatch('"3", "4","5" ')).toEqual([3, 4, 5]);
    expect(readIfMatch(', "3", ,')).toEqual([3]);
  });

  it("a weak tag never matches, nor does a tag that is no revision", () => {
    expect(readIfMatch('W/"3"')).toEqual([]);
    expect(readIfMatch('W/"3", "4"')).toEqual([4]);
    expect(readIfMatch('"abc"')).toEqual([]);
    expect(readIfMatch('"03"')).toEqual([]);
    expect(readIfMatch('"a,b", "7"')).toEqual([7]);
  });

  it.each(["3", '"3', 'w/"3"', "", ",", '"3" "4"', "'3'"])("%j is no list of entity tags: 400", (header) => {
    expect(() => readIfMatch(header)).toThrowError(expect.objectContaining({ code: "validation_error" }));
  });
});

describe("If-None-Match (RFC 9110 §13.1.2)", () => {
  it("names a revision strongly, weakly, among others, or as *", () => {
    for (const header of ['"3"', 'W/"3"', '"1", "3"', "*"]) expect(ifNoneMatchNames(header, 3)).toBe(true);
  });

  it("does not name another one, and an unreadable header names none", () => {
    for (const header of [undefined, '"2"', '"33"', "3", '"3']) expect(ifNoneMatchNames(header, 3)).toBe(false);
  });
});
