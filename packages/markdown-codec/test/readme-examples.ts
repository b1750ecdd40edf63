import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The README of the package. */
export const readme: string = readFileSync(join(import.meta.dirname, "../README.md"), "utf8");

/** The examples of the README, in their order. */
export function readmeExamples(): string[] {
  return [...readme.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code = ""]) => code);
}
