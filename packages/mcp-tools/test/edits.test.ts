import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Assistant, type Desk, openDesk } from "./desk.ts";

describe("targeted edits", () => {
  let desk: Desk;
  let editor: Assistant;
  let other: Assistant;
  beforeAll(async () => {
    desk = await openDesk();
    const { editor: one, admin } = desk.world.people;
    [editor, other] = [await desk.as(one), await desk.as(admin)];
  });
  afterAll(() => desk.close());

  const make = async (markdown: string): Promise<string> => {
    const input = { collectionId: desk.world.collections.open, markdown, publish: true };
    return String((await editor.call("create_document", input)).data.id);
  };
  const markdownOf = async (id: string): Promise<unknown> => (await editor.call("get_document", { id })).data.markdown;

  it("append adds the fragment at the end, separated by a blank line", {
    meta: { proves: ["mcp.append-to-document", "mcp.targeted-edits"] },
  }, async () => {
    const id = await make("# A\n\n```\nopen fence");
    const { data } = await editor.call("append_to_document", { id, markdown: "- [ ] ==task==" });
    expect(data).toEqual({ id, revision: 2 });
    expect(await markdownOf(id)).toBe("# A\n\n```\nopen fence\n```\n\n- [ ] ==task==\n");
  });

  it("prepend inserts the fragment at the top", {
    meta: { proves: ["mcp.prepend-to-document", "mcp.targeted-edits"] },
  }, async () => {
    const id = await make("body");
    await editor.call("prepend_to_document", { id, markdown: "> first" });
    expect(await markdownOf(id)).toBe("> first\n\nbody\n");
  });

  it("insert_after_heading inserts after the first heading that matches, case and outer spaces aside", {
    meta: { proves: ["mcp.insert-after-heading", "mcp.targeted-edits"] },
  }, async () => {
    const id = await make("## Plan\n\nold\n\n## plan\n\nsecond");
    const { data } = await editor.call("insert_after_heading", { id, heading: "  PLAN ", markdown: "new" });
    expect(data).toEqual({ id, revision: 2, heading: "PLAN" });
    expect(await markdownOf(id)).toBe("## Plan\n\nnew\n\nold\n\n## plan\n\nsecond\n");
  });

  it("no heading that matches is HEADING_NOT_FOUND, with those that there are", {
    meta: { proves: ["mcp.insert-after-heading.not-found", "decision.tools.errors"] },
  }, async () => {
    const id = await make("# One\n\n## Two *words*\n\n```\n# Code\n```");
    for (const heading of ["Three", "Code", "## One"]) {
      for (const tool of ["insert_after_heading", "replace_section"]) {
        const { code, text, result } = await editor.call(tool, { id, heading, markdown: "x" });
        expect([code, text]).toEqual(["HEADING_NOT_FOUND", expect.stringContaining('"One", "Two words".')]);
        expect(result._meta).toMatchObject({ headings: ["One", "Two words"], count: 2 });
      }
    }
    const bare = await make("no heading");
    const { text } = await editor.call("replace_section", { id: bare, heading: "x", markdown: "y" });
    expect(text).toContain("The document has no headings.");
  });

  it("of several headings with one text, all but the first are listed and named by their anchor", async () => {
    const id = await make("# Log\n\n## Examples\n\n1\n\n## Other\n\n### Examples\n\n2");
    const { data } = await editor.call("get_document", { id, outline: true });
    expect(data.headings).toEqual([
      { level: 1, text: "Log" },
      { level: 2, text: "Examples" },
      { level: 2, text: "Other" },
      { level: 3, text: "Examples", anchor: "#examples-2" },
    ]);
    const part = await editor.call("get_document", { id, section: "Other" });
    expect(part.data.headings).toEqual([
      { level: 2, text: "Other" },
      { level: 3, text: "Examples", anchor: "#examples-2" },
    ]);
    const { text } = await editor.call("insert_after_heading", { id, heading: "#examples-1", markdown: "x" });
    expect(text).toContain('The headings are "Log", "Examples", "Other", "#examples-2".');
    await editor.call("replace_section", { id, heading: "#examples-2", markdown: "new" });
    expect(await markdownOf(id)).toBe("# Log\n\n## Examples\n\n1\n\n## Other\n\n### Examples\n\nnew\n");
  });

  it("replace_section replaces what stands below a heading, and leaves the heading", async () => {
    const id = await make("# A\n\none\n\n## B\n\ntwo\n\n# C\n\nthree");
    await editor.call("replace_section", { id, heading: "a", markdown: "new" });
    expect(await markdownOf(id)).toBe("# A\n\nnew\n\n# C\n\nthree\n");
    const again = await editor.call("replace_section", { id, heading: "a", markdown: "new" });
    expect(again.data).toEqual({ id, revision: 2, heading: "a" });
  });

  it("four appends of an item make one list, and rows join a table", {
    meta: { proves: ["decision.documents.edits-lists"] },
  }, async () => {
    const id = await make("# Log");
    for (const word of ["a", "b", "c", "d"]) await editor.call("append_to_document", { id, markdown: `- ${word}` });
    expect(await markdownOf(id)).toBe("# Log\n\n- a\n- b\n- c\n- d\n");
    await editor.call("insert_after_heading", { id, heading: "Log", markdown: "* first" });
    expect(await markdownOf(id)).toBe("# Log\n\n- first\n- a\n- b\n- c\n- d\n");
    const table = await make("| a | b |\n| --- | --- |\n| 1 | 2 |");
    await editor.call("append_to_document", { id: table, markdown: "| 3 | 4 |" });
    expect(await markdownOf(table)).toBe("| a | b |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |\n");
  });

  it("a heading is named as it is written or by its anchor, and never doubled", {
    meta: { proves: ["decision.documents.edits-heading"] },
  }, async () => {
    const id = await make("# A {#top}\n\none\n\n## B\n\ntwo");
    await editor.call("insert_after_heading", { id, heading: "#top", markdown: "x" });
    await editor.call("replace_section", { id, heading: "## B", markdown: "## B\n\nnew" });
    expect(await markdownOf(id)).toBe("# A {#top}\n\nx\n\none\n\n## B\n\nnew\n");
    const { data } = await editor.call("get_document", { id, section: "## b" });
    expect(data.markdown).toBe("## B\n\nnew\n");
  });

  it("replace_text replaces what occurs once; else it says how often it does", {
    meta: { proves: ["decision.tools.replace-text"] },
  }, async () => {
    const id = await make("a **bold** word, a plain word");
    await editor.call("replace_text", { id, oldText: "bold word", newText: "strong word" });
    expect(await markdownOf(id)).toBe("a **strong** word, a plain word\n");
    const twice = await editor.call("replace_text", { id, oldText: "word", newText: "x" });
    expect([twice.code, twice.text, twice.result._meta?.count]).toEqual([
      "TEXT_NOT_FOUND",
      expect.stringContaining("2 times"),
      2,
    ]);
    const never = await editor.call("replace_text", { id, oldText: "absent", newText: "x" });
    expect([never.code, never.text]).toEqual(["TEXT_NOT_FOUND", expect.stringContaining("0 times")]);
    const near = await editor.call("replace_text", { id, oldText: "a plane word", newText: "x" });
    expect(near.text).toContain('The nearest passages are "a **strong** word, a plain word".');
    expect(near.result._meta).toMatchObject({ count: 0, passages: ["a **strong** word, a plain word"] });
  });

  it("replace_text finds Markdown, and makes several changes at once or none", {
    meta: { proves: ["decision.documents.replace-text", "decision.documents.replace-text-edits"] },
  }, async () => {
    const id = await make("see [it](https://e.com)\n\n- [ ] ship\n- [ ] test");
    const edits = [
      { oldText: "[it](https://e.com)", newText: "[that](https://e.com)" },
      { oldText: "- [ ] ship\n", newText: "- [x] ship\n- [ ] tell\n" },
    ];
    const missing = { oldText: "- [ ] sleep", newText: "x" };
    const none = await editor.call("replace_text", { id, edits: [...edits, missing] });
    expect([none.code, none.text]).toEqual(["TEXT_NOT_FOUND", expect.stringContaining("edits.2.oldText")]);
    await editor.call("replace_text", { id, edits });
    expect(await markdownOf(id)).toBe("see [that](https://e.com)\n\n- [x] ship\n- [ ] tell\n- [ ] test\n");
    const both = await editor.call("replace_text", { id, edits, oldText: "a", newText: "b" });
    expect(both.code).toBe("INVALID_PARAMETERS");
  });

  it("what asks for nothing is NO_CHANGES", async () => {
    const id = await make("x");
    for (const [tool, input] of [
      ["append_to_document", { markdown: " \n" }],
      ["prepend_to_document", { markdown: "" }],
      ["insert_after_heading", { markdown: "", heading: "x" }],
      ["replace_text", { oldText: "x", newText: "x" }],
    ] as const) {
      expect((await editor.call(tool, { id, ...input })).code, tool).toBe("NO_CHANGES");
    }
  });

  it("a dry run shows the difference and changes nothing", async () => {
    const id = await make("one");
    const { data } = await editor.call("append_to_document", { id, markdown: "two", dryRun: true });
    expect(data).toEqual({ id, revision: 1, diff: expect.stringContaining("+two") });
    expect(await markdownOf(id)).toBe("one\n");
  });

  it("50 parallel appends of two clients all survive", {
    meta: { proves: ["decision.tools.edits"] },
    timeout: 60_000,
  }, async () => {
    const id = await make("start");
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        [editor, other][index % 2]?.call("append_to_document", { id, markdown: `fragment ${index}` }),
      ),
    );
    expect(new Set(answers.map((answer) => answer?.data.revision)).size).toBe(50);
    const { data } = await editor.call("get_document", { id });
    expect(data.revision).toBe(51);
    for (let index = 0; index < 50; index += 1) expect(String(data.markdown)).toContain(`\nfragment ${index}\n`);
  });

  it("a retry after a lost answer, with expectedRevision, fails loudly instead of doubling", {
    meta: { proves: ["decision.tools.edits"] },
  }, async () => {
    const id = await make("start");
    const input = { id, markdown: "once", expectedRevision: 1 };
    await editor.call("append_to_document", input);
    const retry = await editor.call("append_to_document", input);
    expect([retry.code, retry.result._meta?.currentRevision]).toEqual(["REVISION_CONFLICT", 2]);
    expect(await markdownOf(id)).toBe("start\n\nonce\n");
  });
});
