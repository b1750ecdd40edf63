import { describe, expect, it } from "vitest";
import { shortenRuns } from "../src/client/reading/shorten-runs.ts";
import { coloredParts, loadLanguage } from "../src/client/reading/tokens.ts";

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
    await loadLanguage("java");
    const shown = coloredParts(text, "java").map(({ group, from, to }) => [group, text.slice(from, to)]);
    expect(shown.filter(([group]) => group === "code-string")).toEqual([["code-string", `"${letters}"`]]);
    expect(shown.filter(([, part]) => part === "int")).toHaveLength(2);
    expect(shown.filter(([group]) => group === "code-number")).toEqual([["code-number", "2"]]);
    expect(shown.at(-1)).toEqual(["code-comment", "// why"]);
    // The lines behind the comment are none.
    expect(shown.some(([group, part = ""]) => group === "code-comment" && part.includes("\n"))).toBe(false);
  });
});
