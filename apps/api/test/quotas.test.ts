import { readTeamUsages } from "@kb/core/admin";
import { type ApiClient, api } from "@kb/http/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { appOf, openSetting, type Setting } from "./setting.ts";

describe("a storage quota", () => {
  let setting: Setting;
  beforeAll(async () => {
    setting = await openSetting();
  });
  afterAll(() => setting.close());

  /** The editor, with 1,000 bytes left for documents and for attachments of the team. */
  async function editorWithQuota(): Promise<ApiClient> {
    const { service, teamId, people } = setting.world;
    const used = (await readTeamUsages(service)).find((team) => team.teamId === teamId);
    const team = { documents: (used?.documents ?? 0) + 1_000, attachments: (used?.attachments ?? 0) + 1_000 };
    return api(appOf({ ...service, quotas: { team, user: {} } }), people.editor.key);
  }

  it("answers 413 with the current usage, the limit and the bytes that the change needs", async () => {
    const editor = await editorWithQuota();
    const { open } = setting.world.collections;
    const { status, body } = await editor.post("/api/v1/documents", { collectionId: open, text: "x".repeat(2_000) });
    expect(status).toBe(413);
    const figures = {
      scope: "team",
      kind: "documents",
      used: expect.any(Number),
      limit: expect.any(Number),
      needed: 2_001,
    };
    expect(body).toEqual({
      code: "payload_too_large",
      error: expect.stringMatching(
        /^The team uses [\d,]+ of [\d,]+ bytes for documents, .+ QUOTA_TEAM_DOCUMENT_BYTES\.$/,
      ),
      details: [{ path: "quota", message: expect.any(String), ...figures }],
    });
  });

  it("answers 413 to a change of a document and to the registration of an upload, and lets what fits pass", async () => {
    const editor = await editorWithQuota();
    const { guide } = setting.world.documents;
    const path = `/api/v1/documents/${guide.id}`;
    expect((await editor.patch(path, { text: "x".repeat(3_000) })).status).toBe(413);
    expect((await editor.patch(path, { title: "Fits" })).status).toBe(200);
    const upload = { name: "a.png", contentType: "image/png" };
    expect((await editor.post("/api/attachments.upload", { ...upload, size: 1_001 })).status).toBe(413);
    expect((await editor.post("/api/attachments.upload", { ...upload, size: 1_000 })).status).toBe(200);
  });
});
