import { callerOf, outcomeOf } from "@kb/core/testing";
import { describe, expect, it } from "vitest";
import { testWorld } from "../testing/test-world.ts";

const { world } = await testWorld();
const editor = callerOf(world, world.people.editor);

/** Writes a body as Markdown and returns what is read of it. */
async function writeBody(text: string): Promise<{ markdown: string; plain: string }> {
  const { id, text: plain } = await editor.create({ text });
  const { markdownText } = await editor.get(id, { format: "markdown" });
  return { markdown: markdownText ?? "", plain: plain ?? "" };
}

async function expectKept(markdown: string): Promise<void> {
  const once = (await writeBody(markdown)).markdown;
  expect(once).toBe(markdown);
  expect((await writeBody(once)).markdown).toBe(once);
}

describe("a body in Markdown", () => {
  it("keeps the ids of headings of all six levels", { meta: { proves: ["body.round-trip.headings"] } }, () =>
    expectKept("# One {#first}\n\n## Two\n\n### Three {#three-3}\n\n#### Four\n\n##### Five\n\n###### Six {#s_6}\n"),
  );

  it("keeps inline marks", { meta: { proves: ["body.round-trip.inline"] } }, async () => {
    await expectKept("Plain **bold** *italic* `code` ~~struck~~ ==marked== H~2~O x^2^ end.\n\nNext.\n");
    const { markdown, plain } = await writeBody("a <u>under</u> b");
    expect(plain).toBe("a under b");
    await expectKept(markdown);
    expect(markdown).toMatch(/<u>under<\/u>|\+\+under\+\+/);
  });

  it("reads emphasis beside Chinese, Japanese and Korean punctuation, in bodies and in edits", async () => {
    const { markdown, plain } = await writeBody("これは**「重要」**です");
    expect(plain).toBe("これは「重要」です");
    await expectKept(markdown);
    const { id } = await editor.create({ text: "本文" });
    await editor.edit(id, { op: "append", markdown: "これは**「重要」**です" });
    expect((await editor.get(id)).text).toBe("本文\nこれは「重要」です");
  });

  it("keeps footnotes", { meta: { proves: ["body.round-trip.footnotes"] } }, () =>
    expectKept("Said[^1] and done[^note].\n\n[^1]: First.\n\n[^note]: Second, *marked*.\n"),
  );

  it("stores emoji shortcodes as Unicode", { meta: { proves: ["body.round-trip.emoji"] } }, async () => {
    const { markdown, plain } = await writeBody("Go :rocket: and :+1:, not `:rocket:`.");
    expect(markdown).toBe("Go 🚀 and 👍, not `:rocket:`.\n");
    expect(plain).toBe("Go 🚀 and 👍, not :rocket:.");
  });

  it("keeps the start, the depth and the tasks of lists", { meta: { proves: ["body.round-trip.lists"] } }, () =>
    expectKept("3. three\n4. four\n\n- a\n  - b\n    1. c\n- d\n\nText.\n\n- [ ] open\n- [x] done\n"),
  );

  it("keeps quotes, code, rules, tables and links", { meta: { proves: ["body.round-trip.blocks"] } }, () =>
    expectKept(
      '> quoted\n>\n> > twice\n\n```ts\nconst a = "b";\n\n  indented\n```\n\n---\n\n| a | b |\n| --- | :-: |\n| 1 | **2** |\n\n[link](https://example.org/a?b=c "title")\n',
    ),
  );

  it("keeps images with an external URL", { meta: { proves: ["body.round-trip.images"] } }, () =>
    expectKept('![alt text](https://example.org/i.png "title") and ![](https://example.org/j.png)\n'),
  );

  it("keeps a definition list as its text", { meta: { proves: ["body.definition-lists"] } }, async () => {
    const { plain } = await writeBody("Term\n: Definition\n");
    expect(plain).toContain("Term");
    expect(plain).toContain("Definition");
  });

  it("may have exactly 1,500,000 characters, and what is read of it may be written again", async () => {
    // Each bracket is escaped in the normal form, which is therefore longer than the input.
    const text = `${"lorem [ipsum ".repeat(115_384)}dolor si`;
    expect(text).toHaveLength(1_500_000);
    const { id } = await editor.create({ text });
    expect((await editor.update(id, { title: "Its title changes" })).revision).toBe(2);
    expect(await outcomeOf(editor.update(id, { text: `${text}.` }))).toBe("payload_too_large");
    const append = editor.edit(id, { op: "append", markdown: "More." });
    expect(await outcomeOf(append)).toBe("payload_too_large");
    const plain = "x".repeat(1_500_000);
    await editor.update(id, { text: plain });
    const { markdownText } = await editor.get(id, { format: "markdown" });
    expect(markdownText).toBe(`${plain}\n`);
    expect(await outcomeOf(editor.update(id, { text: markdownText }))).toBe("done");
  });
});
