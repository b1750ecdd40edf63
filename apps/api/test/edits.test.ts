import type { DocumentView } from "@kb/core";
import type { ApiClient, Failure, One } from "@kb/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSetting, type Setting, unknownId } from "./setting.ts";

type Preview = One<{ diff: string; revision: number }>;

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

describe("POST /api/v1/documents/{id}/edits", () => {
  let setting: Setting;
  let editor: ApiClient;
  beforeAll(async () => {
    setting = await openSetting();
    editor = setting.as(setting.world.people.editor);
  });
  afterAll(() => setting.close());

  const make = async (text = source): Promise<string> => {
    const json = { collectionId: setting.world.collections.open, text };
    return `/api/v1/documents/${(await editor.post<One<DocumentView>>("/api/v1/documents", json)).body.data.id}`;
  };
  const markdown = async (path: string): Promise<string> =>
    (await editor.get<One<DocumentView>>(`${path}?format=markdown`)).body.data.markdownText ?? "";
  const edit = async (input: object, text?: string): Promise<string> => {
    const path = await make(text);
    const { status, headers, body } = await editor.post<One<DocumentView>>(`${path}/edits`, input);
    expect({ status, etag: headers.get("ETag"), revision: body.data.revision }).toEqual({
      ...{ status: 200, etag: '"2"', revision: 2 },
    });
    return markdown(path);
  };
  const stored = (): Promise<string> => make().then(markdown);

  it("append adds at the end, separated by a blank line [decision.documents.edits] [decision.documents.edits-untouched]", async () => {
    expect(await edit({ op: "append", markdown: "The *end*." })).toBe(`${await stored()}\nThe *end*.\n`);
    expect(await edit({ op: "append", markdown: "alone" }, "")).toBe("alone\n");
  });

  it("prepend adds at the top [decision.documents.edits] [decision.documents.edits-untouched]", async () => {
    expect(await edit({ op: "prepend", markdown: "> quote" })).toBe(`> quote\n\n${await stored()}`);
  });

  it("insert_after_heading adds after the first heading that reads so, whatever its case [decision.documents.edits] [decision.documents.edits-untouched]", async () => {
    for (const heading of ["First", "first", "  FIRST  "]) {
      const before = await stored();
      const after = before.replace("## First\n", "## First\n\ninserted\n");
      expect(await edit({ op: "insert_after_heading", heading, markdown: "inserted" })).toBe(after);
    }
  });

  it("replace_section replaces what stands below a heading up to the next of its rank [decision.documents.edits] [decision.documents.edits-untouched]", async () => {
    const before = await stored();
    const table = before.slice(before.indexOf("| a"), before.indexOf("## First\n\nagain"));
    const after = await edit({ op: "replace_section", heading: "second", markdown: "replaced" });
    expect(after).toBe(before.replace(table, "replaced\n\n"));
  });

  it("replace_text replaces what stands exactly once [decision.documents.edits] [decision.documents.edits-untouched]", async () => {
    const before = await stored();
    expect(await edit({ op: "replace_text", oldText: "again", newText: "once more" })).toBe(
      before.replace("again", "once more"),
    );
  });

  it("the structured JSON of what is not touched stays the same, node for node [decision.documents.edits-untouched]", async () => {
    const path = await make();
    const content = async (): Promise<unknown[]> => {
      const { data } = (await editor.get<One<DocumentView>>(`${path}?include=content`)).body;
      return Array.isArray(data.content?.content) ? data.content.content : [];
    };
    const before = await content();
    await editor.post<object>(`${path}/edits`, { op: "append", markdown: "end" });
    expect((await content()).slice(0, before.length)).toEqual(before);
    await editor.post<object>(`${path}/edits`, { op: "prepend", markdown: "top" });
    expect((await content()).slice(1, before.length + 1)).toEqual(before);
  });

  it("a heading that is not there is 404 and lists those that are [decision.api.code.edits]", async () => {
    const path = await make();
    for (const op of ["insert_after_heading", "replace_section"]) {
      const { status, body } = await editor.post(`${path}/edits`, { op, heading: "Third", markdown: "x" });
      expect({ status, code: body.code }).toEqual({ status: 404, code: "heading_not_found" });
      expect(body.details?.[0]).toMatchObject({ path: "heading", headings: ["Top", "First", "Second", "First"] });
    }
  });

  it("a text that is not there is 404, one that is there twice 409 and says how often [decision.api.code.edits]", async () => {
    const path = await make();
    const none = await editor.post(`${path}/edits`, { op: "replace_text", oldText: "zzz", newText: "x" });
    expect(none).toMatchObject({ status: 404, body: { code: "text_not_found" } });
    const twice = await editor.post(`${path}/edits`, { op: "replace_text", oldText: "First", newText: "x" });
    expect(twice).toMatchObject({ status: 409, body: { code: "text_ambiguous", details: [{ count: 2 }] } });
  });

  it("dryRun answers the difference and changes nothing [decision.documents.edits-dry-run]", async () => {
    const path = await make();
    const before = (await editor.get<One<DocumentView>>(`${path}?format=markdown`)).body.data;
    const { status, headers, body } = await editor.post<Preview>(`${path}/edits`, {
      ...{ op: "replace_text", oldText: "again", newText: "once more", dryRun: true },
    });
    expect({ status, keys: Object.keys(body.data).sort(), etag: headers.get("ETag") }).toEqual({
      ...{ status: 200, keys: ["diff", "revision"], etag: null },
    });
    expect(body.data.revision).toBe(1);
    expect(body.data.diff.split("\n")).toEqual(expect.arrayContaining(["-again", "+once more"]));
    expect((await editor.get<One<DocumentView>>(`${path}?format=markdown`)).body.data).toEqual(before);
  });

  it("dryRun finds the errors that the edit would find [decision.documents.edits-dry-run]", async () => {
    const path = await make();
    const { status } = await editor.post(`${path}/edits`, {
      op: "replace_text",
      oldText: "zzz",
      newText: "",
      dryRun: true,
    });
    expect(status).toBe(404);
    const stale = await editor.post(`${path}/edits`, {
      op: "append",
      markdown: "x",
      dryRun: true,
      expectedRevision: 9,
    });
    expect(stale.status).toBe(409);
  });

  it.each<[string, object]>([
    ["no op", {}],
    ["an unknown op", { op: "delete_all" }],
    ["append without Markdown", { op: "append" }],
    ["append with another op's field", { op: "append", markdown: "x", heading: "First" }],
    ["an empty heading", { op: "insert_after_heading", heading: " ", markdown: "x" }],
    ["an empty old text", { op: "replace_text", oldText: "", newText: "x" }],
    ["replace_text without a new text", { op: "replace_text", oldText: "again" }],
    ["an unknown key", { op: "append", markdown: "x", format: "html" }],
    ["a wrong type", { op: "append", markdown: 5 }],
  ])("%s is a validation error [errors.validation] [decision.api.unknown-body-key]", async (_, input) => {
    const { status, body } = await editor.post<Failure>(`${await make("text")}/edits`, input);
    expect({ status, code: body.code }).toEqual({ status: 400, code: "validation_error" });
    expect(body.details?.length).toBeGreaterThan(0);
  });

  it("an inline image is refused in an edit too [body.inline-image]", async () => {
    const input = { op: "append", markdown: "![x](data:image/png;base64,AAAA)" };
    expect(await editor.post(`${await make("text")}/edits`, input)).toMatchObject({
      body: { code: "inline_image_rejected" },
    });
  });

  it("an edit needs write access: forbidden for who may only read, absent for who may not see", async () => {
    const { guide, secret } = setting.world.documents;
    const input = { op: "append", markdown: "x" };
    const viewer = setting.as(setting.world.people.viewer);
    expect((await viewer.post(`/api/v1/documents/${guide.id}/edits`, input)).status).toBe(403);
    expect((await editor.post(`/api/v1/documents/${secret.id}/edits`, input)).status).toBe(404);
    expect((await editor.post(`/api/v1/documents/${unknownId}/edits`, input)).status).toBe(404);
  });

  it("50 parallel appends give 50 fragments and revision +50 [decision.documents.parallel-appends]", async () => {
    const path = await make("start");
    const fragments = Array.from({ length: 50 }, (_, index) => `fragment ${index} of fifty`);
    const replies = await Promise.all(
      fragments.map((fragment) => editor.post<object>(`${path}/edits`, { op: "append", markdown: fragment })),
    );
    expect(replies.map((reply) => reply.status)).toEqual(Array(50).fill(200));
    const { data } = (await editor.get<One<DocumentView>>(`${path}?format=markdown`)).body;
    expect(data.revision).toBe(51);
    expect(data.markdownText?.trim().split("\n\n").sort()).toEqual(["start", ...fragments].sort());
  });

  it("appends, prepends and inserts at once lose nothing [decision.documents.parallel-appends]", async () => {
    const path = await make("# H\n\nstart");
    const ops = ["append", "prepend", "insert_after_heading"].flatMap((op) =>
      Array.from({ length: 8 }, (_, index) => ({
        ...{ op, markdown: `${op.replaceAll("_", " ")} ${index}` },
        ...(op === "insert_after_heading" ? { heading: "H" } : {}),
      })),
    );
    await Promise.all(ops.map((input) => editor.post<object>(`${path}/edits`, input)));
    const blocks = (await markdown(path)).trim().split("\n\n");
    expect(blocks.sort()).toEqual(["# H", "start", ...ops.map((input) => input.markdown)].sort());
  });

  it("a heading of more than 1,000 characters is a validation error, as the description says", async () => {
    const path = await make();
    const input = { op: "insert_after_heading", heading: "h".repeat(1_001), markdown: "x" };
    const reply = await editor.post(`${path}/edits`, input);
    expect(reply).toMatchObject({
      status: 400,
      body: { details: [{ path: "heading", message: "At most 1000 characters" }] },
    });
  });
});
