import { describe, expect, it } from "vitest";
import { findJsonFault } from "./json-position.ts";

describe("the position of a JSON syntax error", () => {
  it.each([
    ["", 0],
    ["   ", 3],
    ["{", 1],
    ['{"a"}', 4],
    ['{"a":}', 5],
    ['{"a":1,}', 7],
    ["[1,]", 3],
    ["[1 2]", 3],
    ["{} {}", 3],
    ["tru", 0],
    ["[01]", 2],
    ["[1.]", 2],
    ["{'a':1}", 1],
    ['["a\\x"]', 1],
    ['["a\nb"]', 1],
    ['["unfinished', 1],
    ["[1,2}", 4],
    ["nul", 0],
  ])("of %j is offset %i", (text, offset) => {
    expect(() => JSON.parse(text)).toThrow();
    expect(findJsonFault(text).offset).toBe(offset);
  });

  it("is a line and a column, both starting at 1", () => {
    expect(findJsonFault('{\n\n  "a": x}')).toEqual({ offset: 10, line: 3, column: 8 });
  });

  it("is the end of every valid text", () => {
    for (const text of ['{"a":[1,-2.5e+3,true,false,null,"\\u00e9\\n\\""],"b":{}}', "[]", " 0 ", '"x"', "[[],{}]"]) {
      JSON.parse(text);
      expect(findJsonFault(text).offset).toBe(text.length);
    }
  });

  it("is found in a million nested brackets and in a string of five megabytes", () => {
    expect(findJsonFault("[".repeat(1_000_000)).offset).toBe(1_000_000);
    expect(findJsonFault(`["${"é\\n".repeat(1_700_000)}" x]`).offset).toBe(2 + 3 * 1_700_000 + 2);
  });
});
