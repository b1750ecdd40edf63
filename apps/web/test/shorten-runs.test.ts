import { describe, expect, it } from "vitest";
import { shortenRuns } from "../src/client/reading/shorten-runs.ts";
import { tokensOf } from "../src/client/reading/tokens.ts";

const letters = "x".repeat(5_000);

describe("code with long runs", () => {
  it.each([
    ["letters", "a"],
    ["words", "public "],
    ["empty lines", "\n"],
    ["one sign", '"'],
    ["letters of other scripts", "é"],
  ])("is read without most of 20,000 characters of %s, which would take seconds", (_name, unit) => {
    expect(shortenRuns(unit.repeat(20_000).slice(0, 20_000)).text.length).toBeLessThanOrEqual(301);
  });

  it("is read as it is where no run is long", () => {
    const text = `const a = "b"; // ${"word, ".repeat(1_000)}\n`;
    expect(shortenRuns(text).text).toBe(text);
  });

  it("has its colors where they belong, before, in and behind a run", async () => {
    const text = `int a = "${letters}"; // ${letters}\n${letters}\nint b = 2; // why`;
    const tokens = await tokensOf(text, "java");
    const shown = tokens.map(({ kind, from, to }) => [kind, text.slice(from, to)]);
    expect(shown.filter(([kind]) => kind === "string")).toEqual([["string", `"${letters}"`]]);
    expect(shown.filter(([, part]) => part === "int")).toHaveLength(2);
    expect(shown.filter(([kind]) => kind === "number")).toEqual([["number", "2"]]);
    expect(shown.at(-1)).toEqual(["comment", "// why"]);
    // The lines behind the comment are none.
    expect(shown.some(([kind, part = ""]) => kind === "comment" && part.includes("\n"))).toBe(false);
  });
});
