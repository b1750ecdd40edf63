import { invoke, operations } from "@kb/core";
import { parseMarkdown } from "markdown-codec";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Assistant, type Desk, openDesk } from "./desk.ts";

describe("reading and writing documents", () => {
  let desk: Desk;
  let editor: Assistant;
  let viewer: Assistant;
  beforeAll(async () => {
    desk = await openDesk();
    const { editor: one, viewer: another } = desk.world.people;
    [editor, viewer] = [await desk.as(one), await desk.as(another)];
  });
  afterAll(() => desk.close());

  /** A document of the editor's, made by the tool itself; returns its id. */
  const make = async (markdown: string, input: object = {}): Promise<string> => {
    const given = { collectionId: desk.world.collections.open, markdown, publish: true, ...input };
    return String((await editor.call("create_document", given)).data.id);
  };
  const read = async (id: string, input: object = {}) => (await editor.call("get_document", { id, ...input })).data;
  const markdownOf = async (id: string): Promise<unknown> => (await read(id)).markdown;

  describe("get_document", () => {
    it("returns the body as Markdown, plus a canWrite flag", {
      meta: { proves: ["mcp.get-document", "mcp.markdown-only", "decision.tools.get", "decision.tools.same-json"] },
    }, async () => {
      const { guide } = desk.world.documents;
      const { data, result } = await editor.call("get_document", { id: guide.id });
      expect(data).toEqual({
        id: guide.id,
        title: "Guide",
        collection: "Open",
        path: [],
        tags: ["guide"],
        status: "published",
        revision: guide.revision,
        updatedAt: guide.updatedAt,
        canWrite: true,
        url: guide.url,
        markdown: "# Guide\n\nHow *we* work.\n\n## Steps\n\n- one\n- two\n",
        totalChars: 47,
        headings: [
          { level: 1, text: "Guide" },
          { level: 2, text: "Steps" },
        ],
      });
      expect(result.content).toEqual([{ type: "text", text: JSON.stringify(data) }]);
      expect((await viewer.call("get_document", { id: guide.id })).data.canWrite).toBe(false);
    });

    it("lists headings in their order, those in quotes and items too, and nothing that only reads like one", {
      meta: { proves: ["decision.tools.get"] },
    }, async () => {
      const { service, people, collections } = desk.world;
      const { content } = parseMarkdown(
        "> ## Quoted\n\n- item\n\n  ### In an *item*\n\n# Top\n\n#\n\n```heading\n# code\n```\n",
      );
      const list =
        parseMarkdown("1. x").content?.map((node) => ({ ...node, attrs: { start: 1, type: "heading" } })) ?? [];
      const given = {
        collectionId: collections.open,
        content: { type: "doc", content: [...list, ...(content ?? [])] },
      };
      const { id } = await invoke(service, operations.createDocument, people.editor.actor, given);
      expect((await read(id)).headings).toEqual([
        { level: 2, text: "Quoted" },
        { level: 3, text: "In an item" },
        { level: 1, text: "Top" },
        { level: 1, text: "" },
      ]);
    });

    it("takes a UUID in any case, the document's URL, and its resource's address", {
      meta: { proves: ["decision.tools.strict"] },
    }, async () => {
      const { guide } = desk.world.documents;
      for (const id of [
        guide.id.toUpperCase(),
        guide.url,
        `${guide.url}/?from=mail#steps`,
        `kb://documents/${guide.id}`,
      ]) {
        expect((await editor.call("get_document", { id })).data.id).toBe(guide.id);
      }
      for (const id of ["", "guide", `${guide.id}0`, guide.url.replace("documents", "collections")]) {
        expect((await editor.call("get_document", { id })).code, id).toBe("INVALID_PARAMETERS");
      }
    });

    it("section reads only one section", { meta: { proves: ["decision.tools.get"] } }, async () => {
      const { guide } = desk.world.documents;
      const { data } = await editor.call("get_document", { id: guide.id, section: " STEPS " });
      expect([data.markdown, data.totalChars]).toEqual(["## Steps\n\n- one\n- two\n", 22]);
      expect(data.headings).toEqual([{ level: 2, text: "Steps" }]);
      const missing = await editor.call("get_document", { id: guide.id, section: "Stepps" });
      expect([missing.code, missing.text]).toEqual([
        "HEADING_NOT_FOUND",
        'HEADING_NOT_FOUND: No heading reads `Stepps`. The headings are "Guide", "Steps". Call again with one of these headings.',
      ]);
    });

    it("outline returns the headings without the text, of a section its own", {
      meta: { proves: ["decision.tools.get"] },
    }, async () => {
      const markdown = `# Manual\n\n${"word ".repeat(4_000)}\n\n## Use\n\nText.\n\n### Keys\n\nText.\n\n## Care\n\nText.\n`;
      const id = await make(markdown);
      const { data, text } = await editor.call("get_document", { id, outline: true });
      const keys = { level: 3, text: "Keys" };
      const manual = { level: 1, text: "Manual" };
      const use = { level: 2, text: "Use" };
      const care = { level: 2, text: "Care" };
      expect(data).toMatchObject({ id, headings: [manual, use, keys, care], canWrite: true });
      expect([data.markdown, data.nextOffset, text.length < 700]).toEqual([undefined, undefined, true]);
      const part = (await editor.call("get_document", { id, section: "## Use", outline: true })).data;
      expect([part.headings, part.markdown]).toEqual([[use, keys], undefined]);
    });

    it("a long body comes in slices that make up the whole, each ending with a line, none within a character", {
      meta: { proves: ["decision.tools.get"] },
    }, async () => {
      const lines = Array.from({ length: 40 }, (_, index) => `Line ${index} 🐌🐌`).join("\n\n");
      const id = await make(lines);
      const whole = String(await markdownOf(id));
      for (const maxChars of [20, 100, 100_000]) {
        let text = "";
        let offset: number | undefined = 0;
        while (offset !== undefined) {
          const data = await read(id, { maxChars, offset });
          expect(String(data.markdown).isWellFormed()).toBe(true);
          expect(data.totalChars).toBe(whole.length);
          text += String(data.markdown);
          offset = data.nextOffset === undefined ? undefined : Number(data.nextOffset);
        }
        expect(text).toBe(whole);
      }
      expect(await read(id, { offset: 10_000_000 })).toMatchObject({ markdown: "" });
    });

    it("what is hidden answers exactly like what does not exist", async () => {
      const unknown = await editor.call("get_document", { id: "00000000-0000-7000-8000-000000000000" });
      const { secret, foreign, trashed } = desk.world.documents;
      for (const { id } of [secret, foreign, trashed]) {
        expect((await editor.call("get_document", { id })).result).toEqual(unknown.result);
      }
      expect(unknown.text).toBe(
        "NOT_FOUND: Document not found. Find the id with search, list_documents or list_collections; list_documents with status trashed shows what was deleted.",
      );
    });
  });

  describe("create_document", () => {
    it("creates a document from Markdown", { meta: { proves: ["mcp.create-document"] } }, async () => {
      const { collections, documents } = desk.world;
      const given = { collectionId: collections.open, title: "Made", markdown: "# A\n\n==b==\n", tags: ["One", "two"] };
      const { data } = await editor.call("create_document", { ...given, parentDocumentId: documents.guide.id });
      expect(data).toEqual({
        id: expect.any(String),
        title: "Made",
        url: expect.any(String),
        revision: 1,
        status: "draft",
      });
      const made = await read(String(data.id));
      expect(made).toMatchObject({ markdown: given.markdown, tags: ["one", "two"], path: ["Guide"], status: "draft" });
      expect((await editor.call("create_document", { ...given, publish: true })).data.status).toBe("published");
    });

    it("without a title it is Untitled; more than 255 characters are TITLE_TOO_LONG", async () => {
      const { open } = desk.world.collections;
      expect((await editor.call("create_document", { collectionId: open, markdown: "x" })).data.title).toBe("Untitled");
      const long = await editor.call("create_document", { collectionId: open, markdown: "x", title: "x".repeat(256) });
      expect([long.code, long.text]).toEqual([
        "TITLE_TOO_LONG",
        "TITLE_TOO_LONG: title: At most 255 characters. Choose a shorter title.",
      ]);
    });

    it("an inline base64 image is rejected, and the way to upload it named", {
      meta: { proves: ["mcp.inline-image"] },
    }, async () => {
      const { open } = desk.world.collections;
      const markdown = "![dot](data:image/png;base64,iVBORw0KGgo=)";
      const answer = await editor.call("create_document", { collectionId: open, markdown });
      expect([answer.code, answer.text]).toEqual(["INLINE_IMAGE_REJECTED", expect.stringContaining("upload_image")]);
      const id = await make("x");
      for (const [tool, input] of [
        ["update_document", { markdown }],
        ["append_to_document", { markdown }],
        ["prepend_to_document", { markdown }],
      ] as const) {
        expect((await editor.call(tool, { id, ...input })).code, tool).toBe("INLINE_IMAGE_REJECTED");
      }
    });
  });

  describe("update_document", () => {
    it("updates what is given and tells what changed; the body is never echoed", {
      meta: { proves: ["mcp.update-document", "decision.tools.update", "decision.tools.same-json"] },
    }, async () => {
      const id = await make("before", { title: "Old", tags: ["a"] });
      const { data } = await editor.call("update_document", { id, title: "New", markdown: "after\n", tags: ["a"] });
      expect(data).toEqual({ id, revision: 2, changed: ["title", "markdown"] });
      expect(await read(id)).toMatchObject({ title: "New", markdown: "after\n", tags: ["a"], revision: 2 });
      expect((await editor.call("update_document", { id, title: "New" })).data).toEqual({
        id,
        revision: 2,
        changed: [],
      });
      expect((await editor.call("update_document", { id, published: false, tags: [] })).data.changed).toEqual([
        "published",
        "tags",
      ]);
    });

    it("addTags and removeTags keep the other tags, also of a long document and beside a new body", {
      meta: { proves: ["decision.tools.update"] },
    }, async () => {
      const long = "A line of a long text.\n\n".repeat(2_000);
      for (const markdown of ["short", long]) {
        const id = await make(markdown, { tags: ["a", "b"] });
        const { data } = await editor.call("update_document", {
          id,
          addTags: ["C ", "a"],
          removeTags: ["B", "absent"],
        });
        expect(data).toEqual({ id, revision: 2, changed: ["tags"] });
        expect((await read(id)).tags).toEqual(["a", "c"]);
        const both = { id, addTags: ["d"], markdown: `${markdown}more` };
        expect((await editor.call("update_document", both)).data).toEqual({
          id,
          revision: 3,
          changed: ["markdown", "tags"],
        });
        expect((await read(id)).tags).toEqual(["a", "c", "d"]);
        const found = await editor.call("list_documents", { tag: "d" });
        expect(found.text).toContain(id);
        const again = { id, addTags: ["a"], removeTags: ["gone"] };
        expect((await editor.call("update_document", again)).data).toEqual({ id, revision: 3, changed: [] });
      }
    });

    it("two calls that add tags at the same time both count, and the fifty-first tag is refused", async () => {
      const id = await make("x", { tags: Array.from({ length: 48 }, (_, index) => `t${index}`) });
      await Promise.all(["one", "two"].map((tag) => editor.call("update_document", { id, addTags: [tag] })));
      expect((await read(id)).tags).toEqual(expect.arrayContaining(["one", "two"]));
      const full = await editor.call("update_document", { id, addTags: ["three"] });
      expect([full.code, full.text]).toEqual(["INVALID_PARAMETERS", expect.stringContaining("removeTags")]);
      const swapped = await editor.call("update_document", { id, addTags: ["three"], removeTags: ["one"] });
      expect(swapped.data.changed).toEqual(["tags"]);
      for (const input of [
        { tags: ["a"], addTags: ["b"] },
        { addTags: ["a"], removeTags: ["A"] },
      ]) {
        expect((await editor.call("update_document", { id, ...input })).code).toBe("INVALID_PARAMETERS");
      }
    });

    it("moves a document, and null brings it to the top", async () => {
      const { guide } = desk.world.documents;
      const id = await make("x");
      expect((await editor.call("update_document", { id, parentDocumentId: guide.url })).data.changed).toEqual([
        "parentDocumentId",
      ]);
      expect((await read(id)).path).toEqual(["Guide"]);
      expect((await editor.call("update_document", { id, parentDocumentId: "" })).code).toBe("NO_CHANGES");
      expect((await editor.call("update_document", { id, parentDocumentId: null })).data.changed).toEqual([
        "parentDocumentId",
      ]);
      const { readable } = desk.world.collections;
      expect((await editor.call("update_document", { id, collectionId: readable })).data.changed).toEqual([
        "collectionId",
      ]);
    });

    it("a dry run shows the difference and changes nothing", {
      meta: { proves: ["decision.tools.update"] },
    }, async () => {
      const id = await make("one\n\ntwo\n", { title: "Dry" });
      const { data } = await editor.call("update_document", {
        id,
        markdown: "one\n\nthree\n",
        title: "Wet",
        dryRun: true,
      });
      expect(data).toEqual({
        id,
        revision: 1,
        changed: ["title", "markdown"],
        diff: expect.stringContaining("-two\n+three"),
      });
      expect(await read(id)).toMatchObject({ title: "Dry", markdown: "one\n\ntwo\n", revision: 1 });
    });

    it("without anything to change it is NO_CHANGES; against another revision REVISION_CONFLICT with the current one", {
      meta: { proves: ["decision.tools.errors", "decision.tools.update"] },
    }, async () => {
      const id = await make("x");
      expect(await editor.call("update_document", { id, expectedRevision: 1 })).toMatchObject({ code: "NO_CHANGES" });
      await editor.call("update_document", { id, title: "Second" });
      const late = await editor.call("update_document", { id, title: "Third", expectedRevision: 1 });
      expect(late).toMatchObject({ code: "REVISION_CONFLICT", text: expect.stringContaining("at revision 2") });
      expect(late.result._meta).toEqual({ code: "REVISION_CONFLICT", currentRevision: 2 });
    });
  });

  it("a caller who may only read gets FORBIDDEN; a key without write learns which scope it needs", {
    meta: { proves: ["mcp.write-scope", "decision.tools.write-scope"] },
  }, async () => {
    const { people, documents, key } = desk.world;
    const { id } = documents.guide;
    const refused = await viewer.call("append_to_document", { id, markdown: "x" });
    expect(refused).toMatchObject({ code: "FORBIDDEN", text: expect.stringContaining("canWrite") });
    const reader = await desk.as(await key(people.editor, ["read"]));
    const inputs = { id, markdown: "x", heading: "Steps", oldText: "one", newText: "1", title: "x" };
    const fields: Record<string, readonly (keyof typeof inputs)[]> = {
      update_document: ["id", "title"],
      append_to_document: ["id", "markdown"],
      prepend_to_document: ["id", "markdown"],
      insert_after_heading: ["id", "heading", "markdown"],
      replace_section: ["id", "heading", "markdown"],
      replace_text: ["id", "oldText", "newText"],
      delete_document: ["id"],
      restore_document: ["id"],
      // The edge answers before it reads the parameters, even wrong ones.
      create_document: [],
      upload_image: [],
    };
    for (const [tool, names] of Object.entries(fields)) {
      const answer = await reader.call(tool, Object.fromEntries(names.map((name) => [name, inputs[name]])));
      expect([answer.code, answer.text], tool).toEqual(["READ_ONLY", expect.stringMatching(/`write` scope.*API key/)]);
    }
    const after = await invoke(desk.world.service, operations.getDocument, people.admin.actor, { id });
    expect(after.revision).toBe(documents.guide.revision);
  });
});
