import { readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { expect } from "vitest";
import { chromiumPath, headlessShell, wholeBrowser } from "./chromium-path.ts";

/** The folder for pictures of the pages; none are taken without it. */
const pictures = process.env.KB_TEST_PICTURES;

/** axe-core as its minified program, which a page reads in two thirds of the time. */
const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The time limit of a test in a browser. */
export const timeout = 60_000;

/** Starts the installed Chromium; `args` are further switches of it. */
export async function startChromium(args: readonly string[] = []): Promise<Browser> {
  const executablePath = chromiumPath(headlessShell, wholeBrowser);
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu", ...args] });
}

/** The widths of a phone and of a desk, each light and dark. */
export const shapes = [320, 1280].flatMap((width) => (["light", "dark"] as const).map((scheme) => ({ width, scheme })));

/** Two languages of opposite directions in these shapes: each width, scheme and language, and each pair of them, once. */
export const languageShapes = [
  { width: 320, scheme: "light", language: "en" },
  { width: 320, scheme: "dark", language: "ar" },
  { width: 1280, scheme: "dark", language: "en" },
  { width: 1280, scheme: "light", language: "ar" },
] as const;

/** The result of axe-core. */
type Verdict = { violations: { id: string; nodes: { html: string }[] }[]; passes: number };

/** Expects that axe-core finds nothing and that nothing is cut off; takes a picture if `KB_TEST_PICTURES` is set. */
export async function inspect(page: Page, name: string, { width, scheme }: (typeof shapes)[number]): Promise<void> {
  const where = `${name}, ${width} pixels wide, ${scheme}`;
  // A page in another shape still has it, and reading it takes half as long as its rules do.
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(axeSource);
  const verdict: Verdict = await page.evaluate(
    "axe.run({ resultTypes: ['violations'] }).then(({ violations, passes }) => ({ violations, passes: passes.length }))",
  );
  const found = verdict.violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" ")}`);
  expect(found, where).toEqual([]);
  expect(verdict.passes, where).toBeGreaterThan(5);
  const [inner, outer] = await page.evaluate<[number, number]>(
    "[document.documentElement.scrollWidth, document.documentElement.clientWidth]",
  );
  expect(inner, where).toBeLessThanOrEqual(outer);
  if (pictures === undefined) return;
  await mkdir(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, `${name}-${width}-${scheme}.png`), fullPage: true });
}
