import { describe, expect, it } from "vitest";
import { repositoryFiles } from "./repository.ts";

const files = repositoryFiles(new URL("..", import.meta.url).pathname);
const documented = files.find((file) => file.path === ".env.example")?.text ?? "";

/** Returns the variables that one file reads, which are the keys of its schema. */
function variablesIn(text: string): string[] {
  return [...text.matchAll(/^\s+([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*):/gm)].map((match) => match[1] ?? "");
}

describe(".env.example", () => {
  it("names every variable that an app reads, and no other", {
    meta: { proves: ["decision.running.environment-documented"] },
  }, () => {
    const read = files
      // Variables of one app come first, then those that several apps read.
      .filter(({ path }) =>
        /^apps\/[^/]+\/src\/env\.ts$|^(apps|packages)\/[^/]+\/src\/(.*[-/])?(settings|variables)\.ts$/.test(path),
      )
      .flatMap((file) => variablesIn(file.text));
    const named = [...documented.matchAll(/^(?:# ?)?([A-Z][A-Z0-9_]*)=/gm)].map((match) => match[1] ?? "");
    expect(read).toContain("DATABASE_URL");
    expect([...new Set(named)].sort()).toEqual([...new Set(read)].sort());
  });
});
