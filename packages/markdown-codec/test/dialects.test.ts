import { getSchema } from "@tiptap/core";
import { Image } from "@tiptap/extension-image";
import { TaskItem, TaskList } from "@tiptap/extension-list";
import { TableKit } from "@tiptap/extension-table";
import { StarterKit } from "@tiptap/starter-kit";
import fc from "fast-check";
import { schema as prosemirrorSchema } from "prosemirror-markdown";
import { describe, expect, test } from "vitest";
import { type Dialect, fromDialect, normalize, parseMarkdown, renameDialect } from "../src/index.ts";
import { schema } from "../src/schema.ts";
import { hostileDocuments } from "./hostile-documents.ts";
import { asDocument } from "./json.ts";
import { ordinaryDocuments } from "./ordinary-documents.ts";
import { runs } from "./runs.ts";
import { withinGfm } from "./within-gfm.ts";

const dialects: Dialect[] = ["prosemirror", "tiptap", "milkdown"];

describe("names of other editors", () => {
  test.for(dialects)("%s and back is the same document", { timeout: 600_000 }, (dialect) => {
    fc.assert(
      fc.property(hostileDocuments, (doc) => {
        const normal = normalize(doc).doc;
        expect(fromDialect(renameDialect(normal, dialect), dialect)).toEqual(normal);
      }),
      runs(500),
    );
  });

  test("prosemirror-markdown's own schema loads what it has names for", () => {
    const text = "# h\n\n- a\n\n  3. b\n\n> **c** *d* `e` [f](g)\n\n```ts\nh\n```\n\n---\n\n![i](j)\\\nk";
    const node = prosemirrorSchema.nodeFromJSON(renameDialect(parseMarkdown(text), "prosemirror"));
    node.check();
    expect(node.textContent).toContain("abc");
    const back = asDocument(fromDialect(node.toJSON(), "prosemirror").content);
    expect(normalize(back).doc).toEqual(parseMarkdown(text));
  });

  test("a tiptap editor with its usual extensions loads our documents as they are", { timeout: 600_000 }, () => {
    const tiptap = getSchema([
      StarterKit,
      TaskList,
      TaskItem.configure({ nested: true }),
      TableKit,
      Image.configure({ inline: true }),
    ]);
    fc.assert(
      fc.property(ordinaryDocuments, (doc) => {
        tiptap.nodeFromJSON(normalize(withinGfm(doc)).doc).check();
      }),
      runs(500),
    );
  });

  test("the schema of this package accepts every document in normal form", { timeout: 600_000 }, () => {
    fc.assert(
      fc.property(hostileDocuments, (doc) => schema.nodeFromJSON(normalize(doc).doc).check()),
      runs(1_000),
    );
  });
});
