import { expect, it } from "vitest";
import { boundedDiff } from "./body.ts";

it("a diff that is cut inside a line divides no character", () => {
  for (const start of ["", "a"]) {
    const diff = boundedDiff(`${start}${"😀".repeat(50_000)}`, "");
    expect(diff).toMatch(/… the diff is cut here: \d+ more characters$/);
    expect(diff.isWellFormed()).toBe(true);
  }
});
