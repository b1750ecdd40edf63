import { pageOf, type Renderer, renderers } from "@kb/testing/renderers";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type DocJSON, type NodeJSON, normalize, parseMarkdown, serializeMarkdown } from "../src/index.ts";
import { ordinaryDocuments } from "./ordinary-documents.ts";
import { report, runs } from "./runs.ts";
import { uniform } from "./uniform-html.ts";
import { withinGfm } from "./within-gfm.ts";

const documents = ordinaryDocuments.map((doc) => normalize(withinGfm(doc)).doc);

const holdsTask = (node: NodeJSON | DocJSON): boolean =>
  node.type === "taskItem" || (node.content ?? []).some(holdsTask);

const uniformly = renderers.map(
  (renderer): Renderer => ({ ...renderer, render: (text) => uniform(renderer.render(text)) }),
);

describe("three other readers show the same page", () => {
  test("of documents that people write", { timeout: 3_600_000 }, () => {
    const chosen = runs(1_000);
    let compared = 0;
    const holds = (doc: DocJSON): void => {
      const markdown = serializeMarkdown(doc);
      // markdown-it by itself has no tasks.
      const readers = uniformly.filter(
        ({ name, mistakes }) => !mistakes(markdown) && !(name === "markdown-it" && holdsTask(doc)),
      );
      const [first, ...others] = readers.map((reader) => pageOf(reader, markdown));
      for (const page of others) expect(page, markdown).toBe(first);
      compared += others.length;
    };
    fc.assert(fc.property(documents, holds), chosen);
    report(`three readers (${compared} comparisons)`, chosen);
    expect(compared).toBeGreaterThan(chosen.numRuns);
  });

  test("of an address after white space that begins a line, which is written as an entity", () => {
    const markdown = "a\\\n&#32;<me@example.org> b\n";
    expect(serializeMarkdown(parseMarkdown("a\\\n&#32;me@example.org b"))).toBe(markdown);
    expect(new Set(uniformly.map((reader) => pageOf(reader, markdown))).size).toBe(1);
  });
});
