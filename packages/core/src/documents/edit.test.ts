import { callerOf, outcomeOf, unknownId } from "@kb/core/testing";
import { describe, expect, it } from "vitest";
import { testWorld } from "../testing/test-world.ts";

const source = `# Top {#top}

Intro with **bold**, ==mark== and \`code\`.

## First

1. one
2. two

## Second

| a | b |
| --- | --- |
| 1 | 2 |

## First

again
`;

const { world } = await testWorld();
const editor = callerOf(world, world.people.editor);

const create = async (text = source): Promise<string> => (await editor.create({ text })).id;
const markdownOf = async (id: string): Promise<string> =>
  (await editor.get(id, { format: "markdown" })).markdownText ?? "";
const stored = (): Promise<string> => create().then(markdownOf);

/** Edits a new document and returns its Markdown afterwards. */
async function markdownAfter(edit: object, text?: string): Promise<string> {
  const id = await create(text);
  expect((await editor.edit(id, edit)).revision).toBe(2);
  return markdownOf(id);
}

describe("an edit", () => {
  it("append adds at the end, separated by a blank line", {
    meta: { proves: ["decision.documents.edits", "decision.documents.edits-untouched"] },
  }, async () => {
    expect(await markdownAfter({ op: "append", markdown: "The *end*." })).toBe(`${await stored()}\nThe *end*.\n`);
    expect(await markdownAfter({ op: "append", markdown: "first" }, "")).toBe("first\n");
  });

  it("prepend adds at the top", {
    meta: { proves: ["decision.documents.edits", "decision.documents.edits-untouched"] },
  }, async () => {
    expect(await markdownAfter({ op: "prepend", markdown: "> quote" })).toBe(`> quote\n\n${await stored()}`);
  });

  it("insert_after_heading adds after the first heading with the text, in any case", {
    meta: { proves: ["decision.documents.edits", "decision.documents.edits-untouched"] },
  }, async () => {
    for (const heading of ["First", "first", "  FIRST  "]) {
      const after = (await stored()).replace("## First\n", "## First\n\ninserted\n");
      expect(await markdownAfter({ op: "insert_after_heading", heading, markdown: "inserted" })).toBe(after);
    }
  });

  it("replace_section replaces everything below a heading up to the next one of its rank", {
    meta: { proves: ["decision.documents.edits", "decision.documents.edits-untouched"] },
  }, async () => {
    const before = await stored();
    const table = before.slice(before.indexOf("| a"), before.indexOf("## First\n\nagain"));
    const after = await markdownAfter({ op: "replace_section", heading: "second", markdown: "replaced" });
    expect(after).toBe(before.replace(table, "replaced\n\n"));
  });

  it("replace_text replaces a text that occurs exactly once", {
    meta: { proves: ["decision.documents.edits", "decision.documents.edits-untouched"] },
  }, async () => {
    const after = await markdownAfter({ op: "replace_text", oldText: "again", newText: "once more" });
    expect(after).toBe((await stored()).replace("again", "once more"));
  });

  it("replace_text finds Markdown as reads show it: links, boxes, rows, several blocks", {
    meta: { proves: ["decision.documents.replace-text"] },
  }, async () => {
    const page = "see [the guide](https://e.com)\n\n- [ ] ship\n- [ ] test\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n";
    const cases = [
      ["[the guide](https://e.com)", "[it](https://e.com/it)"],
      ["- [ ] ship", "- [x] ship"],
      ["| 1 | 2 |", "| 1 | 2 |\n| 3 | 4 |"],
      ["- [ ] test\n\n| a | b |", "- [ ] test\n- [ ] tell\n\n| c | b |"],
    ] as const;
    for (const [oldText, newText] of cases) {
      expect(await markdownAfter({ op: "replace_text", oldText, newText }, page)).toBe(page.replace(oldText, newText));
    }
  });

  it("replace_text keeps the marks of what stays, and spreads none", {
    meta: { proves: ["decision.documents.replace-text-marks"] },
  }, async () => {
    const after = (oldText: string, newText: string) =>
      markdownAfter({ op: "replace_text", oldText, newText }, "read [the guide](u) **today**");
    expect(await after("read the guide today", "study the guide today")).toBe("study [the guide](u) **today**\n");
    expect(await after("guide today", "guide *now* today")).toBe("read [the guide](u) *now* **today**\n");
    expect(await after("today", "tomorrow")).toBe("read [the guide](u) **tomorrow**\n");
  });

  it("replace_text with edits replaces several texts, or none", {
    meta: { proves: ["decision.documents.replace-text-edits"] },
  }, async () => {
    const two = [
      { oldText: "Intro", newText: "Preface" },
      { oldText: "| 1 | 2 |", newText: "| 3 | 4 |" },
    ];
    const before = await stored();
    const after = before.replace("Intro", "Preface").replace("| 1 | 2 |", "| 3 | 4 |");
    expect(await markdownAfter({ op: "replace_text", edits: two })).toBe(after);
    const id = await create();
    const third = { oldText: "zzz", newText: "x" };
    await expect(editor.edit(id, { op: "replace_text", edits: [...two, third] })).rejects.toMatchObject({
      code: "text_not_found",
      details: [{ path: "edits.2.oldText", count: 0 }],
    });
    expect(await markdownOf(id)).toBe(before);
    const many = Array.from({ length: 100 }, (_, index) => `word${index}.`);
    const edits = many.map((oldText) => ({ oldText, newText: oldText.replace("word", "term") }));
    expect(await markdownAfter({ op: "replace_text", edits }, many.join("\n\n"))).toContain("term99.");
  });

  it("leaves the editor JSON of everything else as it is, node for node", {
    meta: { proves: ["decision.documents.edits-untouched"] },
  }, async () => {
    const id = await create();
    const readNodes = async (): Promise<unknown[]> => {
      const { content } = await editor.get(id, { include: "content" });
      return Array.isArray(content?.content) ? content.content : [];
    };
    const before = await readNodes();
    expect(before.length).toBeGreaterThan(5);
    await editor.edit(id, { op: "append", markdown: "end" });
    expect((await readNodes()).slice(0, before.length)).toEqual(before);
    await editor.edit(id, { op: "prepend", markdown: "top" });
    expect((await readNodes()).slice(1, before.length + 1)).toEqual(before);
  });

  it("needs write access: forbidden for a reader, not found for a caller who may not see the document", async () => {
    const { guide, secret } = world.documents;
    const edit = { op: "append", markdown: "x" };
    expect(await outcomeOf(callerOf(world, world.people.viewer).edit(guide.id, edit))).toBe("forbidden");
    expect(await outcomeOf(editor.edit(secret.id, edit))).toBe("not_found");
    expect(await outcomeOf(editor.edit(unknownId, edit))).toBe("not_found");
  });
});

describe("a refused edit", () => {
  it("lists the headings of the document, a repeated one by its address, if its heading is not there", {
    meta: { proves: ["decision.api.code.edits"] },
  }, async () => {
    const id = await create();
    for (const op of ["insert_after_heading", "replace_section"]) {
      await expect(editor.edit(id, { op, heading: "Third", markdown: "x" })).rejects.toMatchObject({
        code: "heading_not_found",
        details: [{ path: "heading", headings: ["Top", "First", "Second", "#first-2"] }],
      });
    }
  });

  it("says how often its text occurs if that is not once", {
    meta: { proves: ["decision.api.code.edits", "decision.documents.replace-text"] },
  }, async () => {
    const id = await create();
    const replace = (oldText: string) => editor.edit(id, { op: "replace_text", oldText, newText: "x" });
    await expect(replace("zzz")).rejects.toMatchObject({ code: "text_not_found" });
    await expect(replace("First")).rejects.toMatchObject({ code: "text_ambiguous", details: [{ count: 2 }] });
    await expect(replace("Intro with a bold mark")).rejects.toMatchObject({
      details: [
        { path: "oldText", count: 0, passages: expect.arrayContaining(["Intro with **bold**, ==mark== and `code`."]) },
      ],
    });
  });

  it("would change the Markdown around its text", async () => {
    const id = await create("a[^1] b\n\n[^1]: note");
    const edit = { op: "replace_text", oldText: "[^1]: note", newText: "" };
    await expect(editor.edit(id, edit)).rejects.toMatchObject({
      code: "validation_error",
      details: [{ path: "newText", message: expect.stringContaining("[^1] is still referred to") }],
    });
  });

  it.each<[string, object]>([
    ["no op", {}],
    ["an unknown op", { op: "delete_all" }],
    ["append without Markdown", { op: "append" }],
    ["append with another op's field", { op: "append", markdown: "x", heading: "First" }],
    ["an empty heading", { op: "insert_after_heading", heading: " ", markdown: "x" }],
    ["an empty old text", { op: "replace_text", oldText: "", newText: "x" }],
    ["replace_text without a new text", { op: "replace_text", oldText: "again" }],
    [
      "edits beside an old text",
      { op: "replace_text", oldText: "a", newText: "b", edits: [{ oldText: "c", newText: "d" }] },
    ],
    ["an empty list of edits", { op: "replace_text", edits: [] }],
    [
      "more than 100 edits",
      { op: "replace_text", edits: Array.from({ length: 101 }, () => ({ oldText: "a", newText: "b" })) },
    ],
    ["an edit with an empty old text", { op: "replace_text", edits: [{ oldText: "", newText: "b" }] }],
    ["an unknown key", { op: "append", markdown: "x", format: "html" }],
    ["a wrong type", { op: "append", markdown: 5 }],
  ])("%s is a validation error", { meta: { proves: ["errors.validation"] } }, async (_, edit) => {
    await expect(editor.edit(world.documents.guide.id, edit)).rejects.toMatchObject({
      code: "validation_error",
      details: [expect.objectContaining({ path: expect.any(String) })],
    });
  });

  it("has a heading of more than 1,000 characters", async () => {
    const edit = { op: "insert_after_heading", heading: "h".repeat(1_001), markdown: "x" };
    await expect(editor.edit(await create(), edit)).rejects.toMatchObject({
      code: "validation_error",
      details: [{ path: "heading", message: "At most 1000 characters" }],
    });
  });

  it("has an inline image", { meta: { proves: ["body.inline-image"] } }, async () => {
    const edit = { op: "append", markdown: "![x](data:image/png;base64,AAAA)" };
    await expect(editor.edit(await create("text"), edit)).rejects.toMatchObject({ code: "inline_image_rejected" });
  });
});

describe("a dry run", () => {
  it("returns the difference and changes nothing", {
    meta: { proves: ["decision.documents.edits-dry-run"] },
  }, async () => {
    const id = await create();
    const before = await editor.get(id, { format: "markdown" });
    const preview = await editor.previewEdit(id, { op: "replace_text", oldText: "again", newText: "once more" });
    expect(preview).toEqual({ revision: 1, diff: expect.any(String) });
    expect(preview.diff.split("\n")).toEqual(expect.arrayContaining(["-again", "+once more"]));
    expect(await editor.get(id, { format: "markdown" })).toEqual(before);
  });

  it("reports the errors of the edit", { meta: { proves: ["decision.documents.edits-dry-run"] } }, async () => {
    const id = await create();
    const missing = editor.previewEdit(id, { op: "replace_text", oldText: "zzz", newText: "" });
    await expect(missing).rejects.toMatchObject({ code: "text_not_found" });
    const stale = editor.previewEdit(id, { op: "append", markdown: "x", expectedRevision: 9 });
    await expect(stale).rejects.toMatchObject({ code: "revision_conflict" });
  });
});

describe("simultaneous edits", () => {
  it("50 appends add 50 fragments and 50 revisions", {
    meta: { proves: ["decision.documents.parallel-appends"] },
  }, async () => {
    const id = await create("start");
    const fragments = Array.from({ length: 50 }, (_, index) => `fragment ${index} of fifty`);
    await Promise.all(fragments.map((markdown) => editor.edit(id, { op: "append", markdown })));
    const { revision, markdownText } = await editor.get(id, { format: "markdown" });
    expect(revision).toBe(51);
    expect(markdownText?.trim().split("\n\n").sort()).toEqual(["start", ...fragments].sort());
  });

  it("appends, prepends and inserts lose nothing", {
    meta: { proves: ["decision.documents.parallel-appends"] },
  }, async () => {
    const id = await create("# H\n\nstart");
    const edits = ["append", "prepend", "insert_after_heading"].flatMap((op) =>
      Array.from({ length: 8 }, (_, index) => ({
        op,
        markdown: `${op.replaceAll("_", " ")} ${index}`,
        ...(op === "insert_after_heading" ? { heading: "H" } : {}),
      })),
    );
    await Promise.all(edits.map((edit) => editor.edit(id, edit)));
    const blocks = (await markdownOf(id)).trim().split("\n\n");
    expect(blocks.sort()).toEqual(["# H", "start", ...edits.map((edit) => edit.markdown)].sort());
  });
});
