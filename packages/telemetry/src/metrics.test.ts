import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { metrics } from "./metrics.ts";

const guide = readFileSync(join(import.meta.dirname, "../../../docs/observability.md"), "utf8");
/** The rows of the table of metrics: names in the first cell, labels in the last. */
const rows = guide
  .split("\n")
  .filter((line) => /^\| `(http|kb|db|nodejs|process)\./.test(line))
  .map((line) => line.split("|").map((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, text]) => text ?? "")));

describe("docs/observability.md", () => {
  it("explains every metric with its labels, and no other", { meta: { proves: ["decision.running.metrics"] } }, () => {
    const told = rows.flatMap(([, names = []]) => names);
    expect(told.toSorted()).toEqual(Object.keys(metrics).toSorted());
    for (const [name, { labels }] of Object.entries(metrics)) {
      const [, , , said = []] = rows.find(([, names = []]) => names.includes(name)) ?? [];
      expect(
        said.filter((label) => label.includes(".")),
        name,
      ).toEqual(labels);
    }
  });
});

describe("metrics", () => {
  it("carry no label that could hold an id", { meta: { proves: ["decision.running.metrics"] } }, () => {
    for (const { labels } of Object.values(metrics)) {
      for (const label of labels) expect(label).not.toMatch(/\b(id|path|address|user|email|url|query|text)\b/i);
    }
  });
});
