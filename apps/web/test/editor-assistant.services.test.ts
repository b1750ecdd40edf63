import { invoke, operations } from "@kb/core";
import { sessionCallerOf } from "@kb/core/testing";
import { timeout } from "@kb/testing/chromium";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDocument, editDocument, editorOf, markdownOf, status } from "./editor-setting.ts";
import { openSite, type Site } from "./site.ts";

const revision = "2026-07-28";
const client = {
  "io.modelcontextprotocol/protocolVersion": revision,
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1.0.0" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

describe("an assistant that edits what a person writes, in Chromium", () => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite();
    const { world } = site.setting;
    const admin = await sessionCallerOf(world, world.people.admin);
    await admin.run(operations.updateTeam, { mcpEnabled: true });
  });
  afterAll(() => site?.close(), timeout);

  /** Calls a tool over MCP with the key of the admin; fails unless it did what it was asked. */
  async function useTool(name: string, given: Readonly<Record<string, unknown>>): Promise<void> {
    const answer = await fetch(`${site.origin}/api/mcp`, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${site.setting.world.people.admin.key}`,
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
        "MCP-Protocol-Version": revision,
        "Mcp-Method": "tools/call",
        "Mcp-Name": name,
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name, arguments: given, _meta: client },
      }),
    });
    const text = await answer.text();
    expect(text).toContain('"structuredContent"');
    expect(text).not.toContain('"isError":true');
  }

  async function historyOf(id: string) {
    const { service, people } = site.setting.world;
    const { data } = await invoke(service, operations.listRevisions, people.editor.actor, { id, limit: 50 });
    return data;
  }

  /** Returns the stored states of a document as Markdown. */
  async function statesOf(id: string): Promise<string[]> {
    const { service, people } = site.setting.world;
    const stored = (await historyOf(id)).map(async ({ revision }) => {
      const state = await invoke(service, operations.getRevision, people.editor.actor, { id, revision });
      return JSON.stringify(state);
    });
    return Promise.all(stored);
  }

  it("carets stay, nothing is lost, the history says who did what, and undo takes back one's own words only", {
    meta: { proves: ["web.editor.together"] },
    timeout: 3 * timeout,
  }, async () => {
    const { editor: ada, admin } = site.setting.world.people;
    const id = await createDocument(site, "Plan", "Intro.\n\n## Plan\n\nOld plan.\n\n## Notes\n\nNotes.");
    await editDocument(site, id, async (page, editor) => {
      await editorOf(page).getByText("Intro.", { exact: true }).click();
      await page.keyboard.press("End");
      await Promise.all([
        page.keyboard.type(" Ada begins, and", { delay: 30 }),
        useTool("append_to_document", { id, markdown: "Appended by the assistant." }),
      ]);
      await Promise.all([
        page.keyboard.type(" goes on in the same line.", { delay: 30 }),
        useTool("replace_section", { id, heading: "Plan", markdown: "New plan." }),
      ]);
      await editor.getByText("New plan.").waitFor();
      const own = "Intro. Ada begins, and goes on in the same line.";
      const written = `${own}\n\n## Plan\n\nNew plan.\n\n## Notes\n\nNotes.\n\nAppended by the assistant.\n`;
      await status(page, /^Saved$/);
      await expect.poll(() => markdownOf(site, id)).toBe(written);

      const before = await historyOf(id);
      expect(new Set(before.flatMap(({ author }) => author?.name ?? []))).toEqual(new Set([ada.name, admin.name]));
      const replaced = before.find(({ author }) => author?.name === admin.name)?.revision ?? 0;
      const beforeReplacing = before.find(({ revision }) => revision < replaced)?.revision ?? 0;
      await useTool("restore_revision", { id, revision: beforeReplacing });
      await editor.getByText("Old plan.").waitFor();
      await page.keyboard.type(" After it.", { delay: 30 });
      await status(page, /^Saved$/);
      await expect.poll(() => markdownOf(site, id)).toMatch(/ After it\.$/m);
      const restored = await markdownOf(site, id);
      expect(restored).toContain("Old plan.");
      expect(restored).not.toContain("New plan.");
      expect(restored.split("\n")[0]).toMatch(/^Intro\. Ada begins.* After it\.$/);
      // What the restored state did not have yet is in the one before it.
      const states = await statesOf(id);
      expect(states.some((state) => state.includes("goes on in the same line.") && state.includes("New plan."))).toBe(
        true,
      );

      await page.keyboard.press("Control+z");
      await status(page, /^Saved$/);
      await expect.poll(() => markdownOf(site, id)).not.toContain("After it.");
      expect(await markdownOf(site, id)).toContain("Old plan.");
    });
  });
});
