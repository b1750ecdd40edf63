import { requirements } from "@kb/testing/requirements";
import { describe, expect, it } from "vitest";
import { repositoryFiles } from "./repository.ts";

const files = repositoryFiles(new URL("..", import.meta.url).pathname);
const model = files.find((file) => file.path === "SECURITY.md")?.text ?? "";

describe("the threat model", () => {
  it("names a proof for each threat: a tested requirement or an existing file", () => {
    const known = new Set(requirements.map(({ id }) => id));
    const table = model.slice(model.indexOf("| Threat |"), model.indexOf("## Out of scope"));
    const rows = table
      .split("\n")
      .slice(2)
      .filter((line) => line.startsWith("|"));
    expect(rows.length).toBeGreaterThan(20);
    for (const row of rows) {
      const proof = row.split("|").at(-2) ?? "";
      const links = [...proof.matchAll(/\]\(([^)]+)\)/g)].map(([, path = ""]) => path);
      const promises = [...proof.matchAll(/\[([a-z]+(?:\.[a-z0-9-]+)+)\](?!\()/g)].map(([, id = ""]) => id);
      expect(links.length + promises.length + (/`[^`]+`/.test(proof) ? 1 : 0), row).toBeGreaterThan(0);
      for (const path of links)
        expect(
          files.some((file) => file.path === path),
          path,
        ).toBe(true);
      for (const id of promises) expect(known.has(id), id).toBe(true);
    }
  });
});
