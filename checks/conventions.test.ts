import { describe, expect, it } from "vitest";
import { conventionFindings } from "./conventions.ts";

/** Returns the rules that one file breaks. */
function rulesOf(path: string, text: string): string[] {
  return conventionFindings([{ path, text }]).map((finding) => finding.rule);
}

describe("conventions", () => {
  it("a source file of 301 lines is too long, a test or a generated file is not", () => {
    const lines = "\n".repeat(301);
    expect(rulesOf("packages/core/src/a.ts", lines)).toEqual(["301 lines: split the file, the limit is 300"]);
    expect(rulesOf("packages/core/src/a.ts", lines.slice(1))).toEqual([]);
    expect(rulesOf("packages/core/src/a.test.ts", lines)).toEqual([]);
    expect(rulesOf("packages/core/src/a.ts", `// Generated from the table.${lines}`)).toEqual([]);
  });

  it("a vague name is found in a file and in a folder", () => {
    for (const path of [
      "packages/core/src/utils.ts",
      "packages/common/src/a.ts",
      "packages/core/src/Helpers.test.ts",
    ]) {
      expect(rulesOf(path, "")).toEqual(["choose a name that describes the content"]);
    }
    expect(rulesOf("packages/core/src/sharing.ts", "")).toEqual([]);
  });

  it("leftovers are found with their line", () => {
    const word = ["TO", "DO"].join("");
    expect(conventionFindings([{ path: "packages/core/src/a.ts", text: `export {};\n// ${word}: later\n` }])).toEqual([
      { path: "packages/core/src/a.ts", line: 2, rule: `${word}: finish it, or open an issue` },
    ]);
    expect(rulesOf("packages/core/src/a.ts", `// @ts-${"ignore"}\n`)).toHaveLength(1);
  });

  it("a test that does not run is found", () => {
    for (const how of ["skip", "only", "todo"]) {
      expect(rulesOf("packages/core/src/a.test.ts", `it.${how}("a", () => {});\n`)).toHaveLength(1);
      expect(rulesOf("packages/core/src/a.test.ts", `describe.concurrent.${how}("a", () => {});\n`)).toHaveLength(1);
    }
  });

  it("a path of a single machine and a registry address are found in any file except third-party documents", () => {
    const folder = ["", "home", "someone"].join("/");
    expect(rulesOf("README.md", `see ${folder}/notes\n`)).toHaveLength(1);
    expect(rulesOf("README.md", `https://registry.${"npmjs"}.org/hono\n`)).toHaveLength(1);
    expect(rulesOf("packages/markdown-codec/test/sample/en/a.md", `see ${folder}/notes\n`)).toEqual([]);
    expect(rulesOf("README.md", "see https://example.com/home/page and ./work/item\n")).toEqual([]);
  });

  it("a spread literal and a destructured array literal are found", () => {
    const rulesOfLine = (line: string) => rulesOf("packages/core/src/a.ts", `${line}\n`);
    expect(rulesOfLine("export const a = { ...{ b, c }, d };")).toEqual(["a literal is spread: write its entries out"]);
    expect(rulesOfLine("export const a = [...[1, 2], 3];")).toEqual(["a literal is spread: write its entries out"]);
    expect(rulesOfLine("const [a, b] = [1, 2];")).toEqual([
      "an array literal is destructured: declare each name separately",
    ]);
    expect(rulesOfLine("export const a = { ...(b ? { c } : {}), ...d };")).toEqual([]);
    expect(rulesOfLine("const [a, b] = await Promise.all([one(), two()]);")).toEqual([]);
  });
});
