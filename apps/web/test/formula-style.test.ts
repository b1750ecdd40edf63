import { readFileSync } from "node:fs";
import { join } from "node:path";
import { formulaStyle } from "@kb/formulas";
import { expect, it } from "vitest";

/** The rules of a sheet in the order of their selectors, without layout and layers. */
const rulesOf = (sheet: string): string[] =>
  sheet
    .replace(/\/\*.*?\*\//gs, "")
    .replace(/^\s*@layer prose \{(.*)\}\s*$/s, "$1")
    .replace(/\s+/g, " ")
    .split("}")
    .flatMap((rule) => {
      const [selectors = "", declarations = ""] = rule.split("{");
      const each = declarations
        .split(";")
        .map((one) => one.trim())
        .filter((one) => one !== "");
      return selectors.split(",").flatMap((selector) => each.map((one) => `${selector.trim()} ${one}`));
    })
    .map((rule) => rule.replace(/\( /g, "(").replace(/ \)/g, ")"))
    .sort();

it("formulas look the same in the app and in exported pages", () => {
  const sheet = readFileSync(join(import.meta.dirname, "../src/client/style/formulas.css"), "utf8");
  expect(rulesOf(sheet)).toEqual(rulesOf(formulaStyle));
});
