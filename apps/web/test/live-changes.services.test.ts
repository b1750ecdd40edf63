import { operations } from "@kb/core";
import { groupIdsOf, type Person, sessionCallerOf } from "@kb/core/testing";
import { timeout } from "@kb/testing/chromium";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSite, type Site, started } from "./site.ts";

const desk = { viewport: { width: 1280, height: 900 } };

/** A second on an idle machine; the bound allows for one that does other work. */
const mostMs = 30_000;

/** A part of the page, by a selector, and a text that has to be in it or to leave it. */
type Expected = { readonly where: string; readonly text: string; readonly isGone?: boolean };

const article = "main article";
const tree = "[role=tree]";
const list = "main .rows";
const title = "main h1";

describe("an app that is open while others work, in Chromium", () => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite();
    const { service, teamId } = site.setting.world;
    await service.database.client.team.update({ where: { id: teamId }, data: { mcpEnabled: true } });
  });
  afterAll(() => site?.close(), timeout);

  const answerOf = async (path: string, headers: Record<string, string>, method: string, body: unknown) => {
    const answer = await fetch(`${site.origin}${path}`, {
      method,
      headers: { "Content-Type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text;
  };
  /** Calls the REST API with a key of a person. */
  const rest = (person: Person, method: string, path: string, body?: unknown): Promise<string> =>
    answerOf(`/api/v1${path}`, { Authorization: `Bearer ${person.key}` }, method, body);
  /** Calls a tool over MCP with a key of a person, as an assistant does. */
  const tool = async (person: Person, name: string, input: object): Promise<string> => {
    const revision = "2026-07-28";
    const headers = {
      Authorization: `Bearer ${person.key}`,
      Accept: "application/json, text/event-stream",
      "MCP-Protocol-Version": revision,
      "Mcp-Method": "tools/call",
      "Mcp-Name": name,
    };
    const meta = {
      "io.modelcontextprotocol/protocolVersion": revision,
      "io.modelcontextprotocol/clientInfo": { name: "assistant", version: "1.0.0" },
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const params = { name, arguments: input, _meta: meta };
    const text = await answerOf("/api/mcp", headers, "POST", { jsonrpc: "2.0", id: 1, method: "tools/call", params });
    if (!text.includes('"structuredContent"')) throw new Error(text);
    return text;
  };
  const idIn = (text: string): string => /"id":\s*"([0-9a-f-]{36})"/.exec(text)?.[1] ?? "";
  const place = () => ({ collectionId: site.setting.world.collections.open, publish: true });
  const create = async (text: string): Promise<string> =>
    idIn(await rest(site.setting.world.people.editor, "POST", "/documents", { ...place(), title: text, text }));

  const openLive = async (page: Page, path: string): Promise<void> => {
    const stream = page.waitForResponse((response) => response.url().includes("/api/app.events"));
    await page.goto(`${site.origin}${path}`);
    await started(page);
    await stream;
  };
  const openTree = async (page: Page): Promise<void> => {
    const row = page.getByRole("treeitem", { name: "Open", exact: true });
    await row.focus();
    if ((await row.getAttribute("aria-expanded")) === "false") await page.keyboard.press("ArrowRight");
    await page.locator('[role="treeitem"][aria-level="2"]').first().waitFor();
  };
  /** Changes something in the service; expects each part of the page to show it, and prints the time from the answer on. */
  const expectSoon = async (
    page: Page,
    what: string,
    expected: readonly Expected[],
    change: () => Promise<unknown>,
  ) => {
    const seen = expected.map((each) =>
      page
        .waitForFunction(
          ({ where, text, isGone = false }) => {
            const isThere = [...document.querySelectorAll(where)].some((part) => part.textContent.includes(text));
            return isThere !== isGone && Date.now();
          },
          each,
          { timeout: mostMs + 10_000 },
        )
        .then((handle) => handle.jsonValue()),
    );
    const [answeredAt, ...seenAt] = await Promise.all([change().then(() => Date.now()), ...seen]);
    const lateMs = Math.max(...seenAt.map(Number)) - answeredAt;
    console.log(`${what}: on the page after ${lateMs} ms`);
    expect(lateMs, what).toBeLessThan(mostMs);
  };

  it.for(["REST", "MCP"] as const)(
    "changes by %s appear in the tree, the page of the document, a list and home",
    { meta: { proves: ["web.current.lists"] }, timeout: 4 * timeout },
    async (by) => {
      const { people, collections } = site.setting.world;
      const { editor } = people;
      const isRest = by === "REST";
      const change = (id: string, { title, text }: { title?: string; text?: string }): Promise<string> =>
        isRest
          ? rest(editor, "PATCH", `/documents/${id}`, { title, text })
          : tool(editor, "update_document", { id, title, markdown: text });
      const add = (name: string): Promise<string> =>
        isRest
          ? rest(editor, "POST", "/documents", { ...place(), title: name, text: "New." })
          : tool(editor, "create_document", { ...place(), title: name, markdown: "New." });
      const remove = async (id: string): Promise<void> => {
        if (isRest) await rest(editor, "DELETE", `/documents/${id}`);
        else for (const confirm of [false, true]) await tool(editor, "delete_document", { id, confirm });
      };
      const id = await create(`Open meanwhile ${by}`);
      await site.withPage(people.viewer, { ...desk, possible: [/404 .*(documents|attachments)/] }, async (page) => {
        await openLive(page, `/documents/${id}`);
        await openTree(page);
        const soon = (what: string, expected: readonly Expected[], run: () => Promise<unknown>) =>
          expectSoon(page, `${what} by ${by}`, expected, run);
        await soon("a text", [{ where: article, text: `Text by ${by}.` }], () =>
          change(id, { text: `Text by ${by}.` }),
        );
        const renamed = `Renamed by ${by}`;
        await soon(
          "a title",
          [tree, title].map((where) => ({ where, text: renamed })),
          () => change(id, { title: renamed }),
        );
        const created = `Created by ${by}`;
        await soon("a new document in the tree", [{ where: tree, text: created }], () => add(created));
        await openLive(page, `/collections/${collections.open}`);
        const listed = `Listed by ${by}`;
        await soon("a new document in a collection", [{ where: "main", text: listed }], () => add(listed));
        await openLive(page, "/");
        const athome = `Home by ${by}`;
        await soon("a new document at home", [{ where: list, text: athome }], () => add(athome));
        await openLive(page, `/documents/${id}`);
        await openTree(page);
        const gone = [
          { where: tree, text: renamed, isGone: true },
          { where: "main", text: `Text by ${by}.`, isGone: true },
        ];
        await soon("a deletion", gone, () => remove(id));
      });
    },
  );

  it("five changes one after another are each on the page", {
    meta: { proves: ["web.current.lists"] },
    timeout: 2 * timeout,
  }, async () => {
    const { people } = site.setting.world;
    const id = await create("Often changed");
    await site.withPage(people.viewer, desk, async (page) => {
      await openLive(page, `/documents/${id}`);
      for (const text of ["First.", "Second.", "Third.", "Fourth.", "Fifth."]) {
        await expectSoon(page, text, [{ where: article, text }], () =>
          rest(people.editor, "PATCH", `/documents/${id}`, { text }),
        );
      }
    });
  });

  it("a title that somebody else changes leaves the focus where it is", {
    meta: { proves: ["web.keyboard.focus"] },
    timeout: 2 * timeout,
  }, async () => {
    const { people } = site.setting.world;
    const id = await create("Before");
    await site.withPage(people.viewer, desk, async (page) => {
      await openLive(page, "/");
      await page.getByRole("link", { name: "Before" }).first().press("Enter");
      await page.locator("h1:focus", { hasText: "Before" }).waitFor();
      await page.getByRole("link", { name: "Help and shortcuts" }).focus();
      await expectSoon(page, "a title", [{ where: title, text: "Afterwards" }], () =>
        rest(people.editor, "PATCH", `/documents/${id}`, { title: "Afterwards" }),
      );
      await page.waitForFunction(() => document.title.startsWith("Afterwards"));
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Help and shortcuts");
    });
  });

  it("a permission, a group or an account that is taken away closes what it opened", {
    meta: { proves: ["web.current.gone", "web.events.access"] },
    timeout: 4 * timeout,
  }, async () => {
    const { world } = site.setting;
    const { people, collections } = world;
    const boss = await sessionCallerOf(world, people.admin);
    await world.grant(collections.vault, people.member.id, "write");
    const inVault = { collectionId: collections.vault, title: "Vault plan", text: "Under lock.", publish: true };
    const { id } = await boss.run(operations.createDocument, inVault);
    const possible = [/40[134] .*/];
    await site.withPage(people.member, { ...desk, possible }, async (page) => {
      await openLive(page, `/documents/${id}`);
      const gone = [
        { where: "main", text: "Under lock.", isGone: true },
        { where: tree, text: "Vault", isGone: true },
      ];
      await expectSoon(page, "a permission that is removed", gone, () =>
        boss.run(operations.removeGrant, { id: collections.vault, userId: people.member.id }),
      );
    });
    const groups = await groupIdsOf(world);
    await site.withPage(people.member, { ...desk, possible }, async (page) => {
      await openLive(page, "/");
      await page.getByRole("button", { name: "New document" }).first().waitFor();
      const gone = { where: ".sidebar", text: "New document", isGone: true };
      await expectSoon(page, "a group that is left", [gone], () =>
        boss.run(operations.setUserGroups, { id: people.member.id, groupIds: [groups.viewers ?? ""] }),
      );
    });
    await site.withPage(people.member, { ...desk, possible }, async (page) => {
      await openLive(page, "/");
      const asked = { where: "dialog[open]", text: "Log in again" };
      await expectSoon(page, "a suspension", [asked], () => boss.run(operations.suspendUser, { id: people.member.id }));
    });
  });
});
