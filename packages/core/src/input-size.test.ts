import { describe, expect, it } from "vitest";
import { requireBoundedInput } from "./input-size.ts";

const list = (length: number) => Array.from({ length }, () => "x");

describe("the size of an input", () => {
  it("up to 10,000 entries of a list or an object are accepted", () => {
    expect(() => requireBoundedInput({ tags: list(10_000), restrictions: { documents: {} } })).not.toThrow();
    expect(() => requireBoundedInput(null)).not.toThrow();
    expect(() => requireBoundedInput("text")).not.toThrow();
  });

  it("a longer list or object is refused by its name, before a schema looks at its entries", () => {
    const error = {
      code: "validation_error",
      message: "tags: At most 10000 entries",
      details: [expect.objectContaining({ path: "tags" })],
    };
    expect(() => requireBoundedInput({ tags: list(10_001) })).toThrow(expect.objectContaining(error));
    const unknown = Object.fromEntries(list(10_001).map((_, index) => [`key${index}`, 1]));
    expect(() => requireBoundedInput(unknown)).toThrow("more than 10000 values");
    expect(() => requireBoundedInput({ content: unknown })).toThrow("content: At most 10000 entries");
    expect(() => requireBoundedInput({ a: { b: list(10_001) } })).toThrow("a.b: At most 10000 entries");
  });

  it("many lists are limited in all, and deep ones do not overflow the stack", () => {
    expect(() => requireBoundedInput({ rows: Array.from({ length: 6 }, () => list(9_000)) })).toThrow("50000");
    let deep: unknown = [];
    for (let depth = 0; depth < 40_000; depth++) deep = [deep];
    expect(() => requireBoundedInput({ deep })).not.toThrow();
  });

  it("bytes are one value, however many they are", () => {
    expect(() => requireBoundedInput({ bytes: new Uint8Array(1_000_000) })).not.toThrow();
  });

  it("the nodes of a body are not counted here: the codec limits them", () => {
    expect(() => requireBoundedInput({ content: { type: "doc", content: list(100_000) } })).not.toThrow();
  });
});
