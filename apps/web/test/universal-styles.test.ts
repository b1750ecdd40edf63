import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const folder = join(import.meta.dirname, "../src/client");
/** A style of a pseudo-element that every element has, such as `::before {`. */
const universal = /(?:^|[{},;])\s*\*?::(?:highlight\([\w-]+\)|before|after)\s*[,{]/gm;
/** These only count where the reader asks for less motion. */
const reducedMotion = /@media \(prefers-reduced-motion: reduce\) \{[^{}]*\{[^{}]*\}\s*\}/g;
const withoutComments = (css: string): string => css.replace(/\/\*[\s\S]*?\*\//g, "");

describe("the styles of the app", () => {
  it("have no pseudo-element of every element: a browser computes a further style for each element then", () => {
    expect("a {\n}\n\n::highlight(word) {".match(universal)).not.toBeNull();
    expect("*,\n::before,\n::after {".match(universal)).not.toBeNull();
    const found = globSync("**/*.css", { cwd: folder }).flatMap((file) => {
      const css = withoutComments(readFileSync(join(folder, file), "utf8")).replace(reducedMotion, "");
      return [...css.matchAll(universal)].map(([text]) => `${file}: ${text.trim()}`);
    });
    expect(found).toEqual([]);
  });
});
