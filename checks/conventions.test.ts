import { describe, expect, it } from "vitest";
import { conventionFindings } from "./conventions.ts";

/** The rules that one file breaks. */
function rulesOf(path: string, text: string): string[] {
  return conventionFindings([{ path, text }]).map((finding) => finding.rule);
}

describe("conventions", () => {
  it("a source file of 301 lines is too long, a test or a generated file is not", () => {
    const lines = "\n".repeat(301);
    expect(rulesOf("packages/core/src/a.ts", lines)).toEqual(["301 lines: a file says one thing in at most 300"]);
    expect(rulesOf("packages/core/src/a.ts", lines.slice(1))).toEqual([]);
    expect(rulesOf("packages/core/src/a.test.ts", lines)).toEqual([]);
    expect(rulesOf("packages/core/src/a.ts", `// Generated from the table.${lines}`)).toEqual([]);
  });

  it("a name that says nothing is found in a file and in a folder", () => {
    for (const path of [
      "packages/core/src/utils.ts",
      "packages/common/src/a.ts",
      "packages/core/src/Helpers.test.ts",
    ]) {
      expect(rulesOf(path, "")).toEqual(["a name says what is inside"]);
    }
    expect(rulesOf("packages/core/src/sharing.ts", "")).toEqual([]);
  });

  it("leftovers are found with their line", () => {
    const word = ["TO", "DO"].join("");
    expect(conventionFindings([{ path: "packages/core/src/a.ts", text: `export {};\n// ${word}: later\n` }])).toEqual([
      { path: "packages/core/src/a.ts", line: 2, rule: `${word}: finish it, or write an issue` },
    ]);
    expect(rulesOf("packages/core/src/a.ts", `// @ts-${"ignore"}\n`)).toHaveLength(1);
  });

  it("a test that does not run is found", () => {
    for (const how of ["skip", "only", "todo"]) {
      expect(rulesOf("packages/core/src/a.test.ts", `it.${how}("a", () => {});\n`)).toHaveLength(1);
      expect(rulesOf("packages/core/src/a.test.ts", `describe.concurrent.${how}("a", () => {});\n`)).toHaveLength(1);
    }
  });

  it("a path of one machine and an address of a registry are found in any file, documents of others aside", () => {
    const folder = ["", "home", "someone"].join("/");
    expect(rulesOf("README.md", `see ${folder}/notes\n`)).toHaveLength(1);
    expect(rulesOf("README.md", `https://registry.${"npmjs"}.org/hono\n`)).toHaveLength(1);
    expect(rulesOf("packages/markdown-codec/test/sample/en/a.md", `see ${folder}/notes\n`)).toEqual([]);
    expect(rulesOf("README.md", "see https://example.com/home/page and ./work/item\n")).toEqual([]);
  });
});
