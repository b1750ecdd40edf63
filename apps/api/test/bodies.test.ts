import type { DocumentView } from "@kb/core";
import type { ApiClient, One } from "@kb/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSetting, type Setting } from "./setting.ts";

describe("bodies in Markdown", () => {
  let setting: Setting;
  let editor: ApiClient;
  beforeAll(async () => {
    setting = await openSetting();
    editor = setting.as(setting.world.people.editor);
  });
  afterAll(() => setting.close());

  /** What comes back of a body that was written as Markdown, and its plain text. */
  async function written(text: string): Promise<{ markdown: string; plain: string }> {
    const json = { collectionId: setting.world.collections.open, text };
    const { id, text: plain } = (await editor.post<One<DocumentView>>("/api/v1/documents", json)).body.data;
    const read = await editor.get<One<DocumentView>>(`/api/v1/documents/${id}?format=markdown`);
    return { markdown: read.body.data.markdownText ?? "", plain: plain ?? "" };
  }

  async function expectKept(markdown: string): Promise<void> {
    const once = (await written(markdown)).markdown;
    expect(once).toBe(markdown);
    expect((await written(once)).markdown).toBe(once);
  }

  it("headings of all six levels keep their ids [body.round-trip.headings]", () =>
    expectKept("# One {#first}\n\n## Two\n\n### Three {#three-3}\n\n#### Four\n\n##### Five\n\n###### Six {#s_6}\n"));

  it("inline marks come back as they were [body.round-trip.inline]", async () => {
    await expectKept("Plain **bold** *italic* `code` ~~struck~~ ==marked== H~2~O x^2^ end.\n\nNext.\n");
    const { markdown, plain } = await written("a <u>under</u> b");
    expect(plain).toBe("a under b");
    await expectKept(markdown);
    expect(markdown).toMatch(/<u>under<\/u>|\+\+under\+\+/);
  });

  it("footnotes come back [body.round-trip.footnotes]", () =>
    expectKept("Said[^1] and done[^note].\n\n[^1]: First.\n\n[^note]: Second, *marked*.\n"));

  it("emoji shortcodes are stored as Unicode [body.round-trip.emoji]", async () => {
    const { markdown, plain } = await written("Go :rocket: and :+1:, not `:rocket:`.");
    expect(markdown).toBe("Go 🚀 and 👍, not `:rocket:`.\n");
    expect(plain).toBe("Go 🚀 and 👍, not :rocket:.");
  });

  it("lists come back: their start, their depth, their tasks [body.round-trip.lists]", () =>
    expectKept("3. three\n4. four\n\n- a\n  - b\n    1. c\n- d\n\nText.\n\n- [ ] open\n- [x] done\n"));

  it("quotes, code, rules, tables and links come back [body.round-trip.blocks]", () =>
    expectKept(
      '> quoted\n>\n> > twice\n\n```ts\nconst a = "b";\n\n  indented\n```\n\n---\n\n| a | b |\n| --- | :-: |\n| 1 | **2** |\n\n[link](https://example.org/a?b=c "title")\n',
    ));

  it("images by an external URL come back [body.round-trip.images]", () =>
    expectKept('![alt text](https://example.org/i.png "title") and ![](https://example.org/j.png)\n'));

  it("a body of exactly 1,500,000 characters is taken, and what is read of it is taken again", async () => {
    // Each of these characters is escaped in the normal form: that one is longer than what was sent.
    const text = `${"lorem [ipsum ".repeat(115_384)}dolor si`;
    expect(text).toHaveLength(1_500_000);
    const json = { collectionId: setting.world.collections.open, text };
    const made = await editor.post<One<DocumentView>>("/api/v1/documents", json);
    expect(made.status).toBe(201);
    const path = `/api/v1/documents/${made.body.data.id}`;
    expect((await editor.patch<object>(path, { title: "Its title changes" })).status).toBe(200);
    const longer = await editor.patch(path, { text: `${text}.` });
    expect(longer).toMatchObject({ status: 413, body: { code: "payload_too_large" } });
    expect((await editor.post(`${path}/edits`, { op: "append", markdown: "More." })).status).toBe(413);
    const plain = "x".repeat(1_500_000);
    await editor.patch<object>(path, { text: plain });
    const read = await editor.get<One<DocumentView>>(`${path}?format=markdown`);
    const { markdownText } = read.body.data;
    expect(markdownText).toBe(`${plain}\n`);
    expect((await editor.patch<object>(path, { text: markdownText })).status).toBe(200);
  });

  it("a definition list is kept as the text that it is [body.definition-lists]", async () => {
    const { plain } = await written("Term\n: Definition\n");
    expect(plain).toContain("Term");
    expect(plain).toContain("Definition");
  });
});
