import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { JsonScan } from "./json-bounds.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Scans a text in many slices, then in one. */
function requireBoundedJson(bytes: Uint8Array): void {
  for (const length of [1_001, bytes.length]) {
    const scan = new JsonScan(bytes);
    while (scan.next(length));
  }
}

const padding = `"padding":"${"a".repeat(70_000)}"`;

describe("a JSON text before it is parsed", () => {
  it.each([
    ["2,400,000 nested lists", `{"a":${"[".repeat(2_400_000)}`, "is nested deeper than 30000 levels"],
    [
      "400,000 keys",
      `{${Array.from({ length: 400_000 }, (_, n) => `"k${n}":0`).join()}}`,
      "has more than 10000 keys in an object or 250000 entries in a list",
    ],
    [
      "300,000 list entries",
      `{"a":[${"0,".repeat(300_000)}0]}`,
      "has more than 10000 keys in an object or 250000 entries in a list",
    ],
    ["1,200,000 values", `{"a":[${`[${"0,".repeat(100_000)}0],`.repeat(12)}0]}`, "has more than 1000000 values"],
  ])("%s are rejected in less time than parsing takes", (_what, text, message) => {
    const bytes = encode(text);
    const started = process.threadCpuUsage().user;
    expect(() => requireBoundedJson(bytes)).toThrow(
      expect.objectContaining({ code: "validation_error", message: `The request body ${message}.` }),
    );
    expect((process.threadCpuUsage().user - started) / 1_000).toBeLessThan(150);
  });

  it("is accepted if it is as large as the largest document", () => {
    const paragraphs = Array.from({ length: 100_000 }, () => ({
      type: "paragraph",
      content: [{ type: "text", text: "a" }],
    }));
    const tags = Array.from({ length: 10_000 }, (_, n) => [`k${n}`, "a, b"]);
    requireBoundedJson(encode(JSON.stringify({ content: { type: "doc", content: paragraphs } })));
    requireBoundedJson(encode(JSON.stringify(Object.fromEntries(tags))));
    requireBoundedJson(encode(`{"a":${"[".repeat(29_000)}${"]".repeat(29_000)}}`));
  });

  it("brackets and commas inside strings do not count, with any escapes", () => {
    const strings = fc.array(
      fc.string({ unit: fc.constantFrom('"', "\\", ",", "[", "{", "]", "}", "a"), maxLength: 20 }),
    );
    fc.assert(
      fc.property(strings, (texts) => {
        const values = Array.from({ length: 2_000 }, (_, n) => `${texts[n % texts.length] ?? ""}${",[{".repeat(20)}`);
        requireBoundedJson(encode(`{${padding},"values":${JSON.stringify(values)}}`));
      }),
      { numRuns: 20 },
    );
  });

  it("is left to the parser if it is incomplete, even inside a string", () => {
    for (const end of ['"', '"\\', '"\\"', "[", "]]]]", "}", ","]) requireBoundedJson(encode(`{${padding},${end}`));
  });
});
