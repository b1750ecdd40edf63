import { newId } from "@kb/db";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Assistant, type Desk, listOf, openDesk } from "./desk.ts";

describe("get_document with several ids", () => {
  let desk: Desk;
  let editor: Assistant;
  beforeAll(async () => {
    desk = await openDesk();
    editor = await desk.as(desk.world.people.editor);
  });
  afterAll(() => desk.close());

  const make = async (markdown: string): Promise<string> => {
    const { data } = await editor.call("create_document", { collection: "Open", markdown, publish: true });
    return String(data.id);
  };

  it("answers each by itself, in the order asked for, once, as a call for it alone would", {
    meta: { proves: ["decision.tools.get-several"] },
  }, async () => {
    const { guide, child } = desk.world.documents;
    const { data } = await editor.call("get_document", { ids: [child.url, guide.id, child.id] });
    const alone = [
      (await editor.call("get_document", { id: child.id })).data,
      (await editor.call("get_document", { id: guide.id })).data,
    ];
    expect(data).toEqual({ documents: alone });
  });

  it("a hidden document has the entry of an absent one, in the words of a single call, and the others are read", {
    meta: { proves: ["decision.tools.get-several"] },
  }, async () => {
    const { guide, secret, foreign, trashed } = desk.world.documents;
    const ids = [secret.id, newId(), foreign.id, trashed.id, guide.id];
    const documents = listOf((await editor.call("get_document", { ids })).data.documents);
    const { text } = await editor.call("get_document", { id: newId() });
    expect(documents.slice(0, 4)).toEqual(ids.slice(0, 4).map((id) => ({ id, error: text })));
    expect(documents[4]).toMatchObject({ id: guide.id, title: "Guide" });
  });

  it("a section that one of them lacks is an error of that one, with its headings", async () => {
    const other = await make("# Else\n\ntext\n");
    const { guide } = desk.world.documents;
    const { data } = await editor.call("get_document", { ids: [guide.id, other], section: "#steps" });
    expect(listOf(data.documents)).toMatchObject([
      { id: guide.id, markdown: "## Steps\n\n- one\n- two\n" },
      { id: other, error: expect.stringMatching(/^HEADING_NOT_FOUND: .*"Else"/) },
    ]);
  });

  it("all texts together have at most maxChars characters: short ones leave their share, long ones go on by nextOffset", {
    meta: { proves: ["decision.tools.get-several"] },
  }, async () => {
    const long = "word ".repeat(2_000);
    const ids = [await make("short"), await make(long), await make(long)];
    const documents = listOf((await editor.call("get_document", { ids, maxChars: 6_000 })).data.documents);
    const lengths = documents.map((row) => String(row.markdown).length);
    expect(lengths[0]).toBe("short\n".length);
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBeLessThanOrEqual(6_000);
    for (const [index, row] of documents.entries()) {
      if (index > 0) expect([row.nextOffset, row.totalChars]).toEqual([lengths[index], long.length]);
    }
    expect(lengths[1]).toBeGreaterThan(2_900);
    const { data } = await editor.call("get_document", { id: ids[1], offset: documents[1]?.nextOffset });
    expect(`${documents[1]?.markdown}${data.markdown}`).toBe(`${long.trimEnd()}\n`);
  });

  it("an attempt to read a hidden document is in the audit log, as for one id", async () => {
    const { people, documents, service } = desk.world;
    const { secret } = documents;
    await editor.call("get_document", { ids: [secret.id] });
    const where = { teamId: people.editor.actor.teamId, targetId: secret.id, action: "assistants.document" };
    await expect
      .poll(() => service.database.client.auditEntry.count({ where: { ...where, outcome: "not_found" } }))
      .toBeGreaterThan(0);
  });
});
