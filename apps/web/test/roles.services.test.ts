import { invoke, operations } from "@kb/core";
import type { Person } from "@kb/core/testing";
import { timeout } from "@kb/testing/chromium";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { menuEntries, openSite, type Site, started } from "./site.ts";
import { createRolesTeam, type Marked, type Roles, type RolesTeam } from "./team-of-roles.ts";

const changes = ["New page inside", "Edit", "Rename", "Change emoji", "Edit tags", "Move"];
const everyChange = [...changes, "Turn into a draft", "Archive", "Move to trash"];

/** The entries that the menu of a published document of the team offers each role, beside those for everybody. */
const ownActions: Readonly<Record<keyof Roles, readonly string[]>> = {
  admin: everyChange,
  editor: everyChange,
  member: changes,
  viewer: [],
  guest: [],
};
const everybody = ["Star", "History", "Copy link", "Print"];

describe("five people with different rights walk through the app in Chromium", () => {
  let site: Site;
  let team: RolesTeam;
  beforeAll(async () => {
    site = await openSite();
    team = await createRolesTeam(site.setting.world);
  });
  afterAll(() => site?.close(), timeout);

  /** Asks the REST API with the person's own key which of the documents they may read. */
  async function readableBy(person: Person): Promise<ReadonlySet<string>> {
    const ids = new Set<string>();
    for (const query of ["", "&status=archived", "&deleted=true"]) {
      const answer = await fetch(`${site.origin}/api/v1/documents?limit=100&fields=id${query}`, {
        headers: { Authorization: `Bearer ${person.key}` },
      });
      expect(answer.status).toBe(200);
      const { data } = (await answer.json()) as { data: { id: string }[] };
      for (const { id } of data) ids.add(id);
    }
    return ids;
  }
  const split = async (person: Person): Promise<{ shown: Marked[]; hidden: Marked[] }> => {
    const readable = await readableBy(person);
    const shown = team.documents.filter(({ id }) => readable.has(id));
    return { shown, hidden: team.documents.filter(({ id }) => !readable.has(id)) };
  };
  const open = async (page: Page, path: string): Promise<void> => {
    await page.goto(`${site.origin}${path}`);
    await started(page);
    await page.waitForLoadState("domcontentloaded");
  };
  const marksIn = (text: string, documents: readonly Marked[]): string[] =>
    documents.filter(({ id, mark }) => text.includes(mark) || text.includes(id)).map(({ mark }) => mark);

  it("each role sees other documents than the next, as the REST API says", { timeout }, async () => {
    const counts = await Promise.all(
      Object.values(team.roles)
        .slice(0, 4)
        .map(async (person) => (await split(person)).shown.length),
    );
    const guest = await split(team.roles.guest);
    expect(counts[0]).toBe(team.documents.length);
    expect(counts).toEqual([...counts].sort((a, b) => b - a));
    expect(guest.shown.map(({ mark }) => mark)).toEqual(["markguestspublished", "markguestsarchived"]);
  });

  it.for(["admin", "editor", "member", "viewer", "guest"] as const)(
    "%s: each screen shows what the REST API shows, and no trace of anything else",
    { meta: { proves: ["web.walk"] }, timeout: 4 * timeout },
    async (role) => {
      const person = team.roles[role];
      const { shown, hidden } = await split(person);
      const seen = new Set<string>();
      await site.withPage(person, { viewport: { width: 1280, height: 900 } }, async (page) => {
        const look = async (where: string): Promise<void> => {
          const text = `${await page.content()} ${await page.locator("body").ariaSnapshot()}`;
          expect(marksIn(text, hidden), where).toEqual([]);
          for (const mark of marksIn((await page.locator("main").textContent()) ?? "", shown)) seen.add(mark);
        };
        for (const path of [
          "/",
          "/drafts",
          "/archive",
          "/trash",
          "/tags",
          `/documents/${team.hub}`,
          "/search?query=Title",
        ]) {
          await open(page, path);
          await page.locator("main .rows, main p.quiet, main article").first().waitFor();
          await look(path);
        }
        for (const row of await page.locator('[role="treeitem"][aria-level="1"]').all()) {
          await row.focus();
          if ((await row.getAttribute("aria-expanded")) === "false") await page.keyboard.press("ArrowRight");
        }
        for (const { mark } of shown.filter(({ mark }) => mark.endsWith("published"))) {
          await page.getByRole("treeitem", { name: `Title ${mark}` }).waitFor();
        }
        await look("the tree");
        await page.keyboard.press("Control+k");
        await page.locator("[role=dialog] input:focus").waitFor();
        await page.keyboard.type("Title mark");
        await page
          .getByRole("menuitem", { name: /^Title mark/ })
          .first()
          .waitFor();
        await look("quick open");
      });
      expect([...seen].sort()).toEqual(shown.map(({ mark }) => mark).sort());
    },
  );

  it.for(["admin", "editor", "member", "viewer", "guest"] as const)(
    "%s: pages, histories, tags and searches of hidden documents are those of absent ones",
    { meta: { proves: ["web.walk", "web.page.hidden"] }, timeout: 2 * timeout },
    async (role) => {
      const person = team.roles[role];
      const { shown, hidden } = await split(person);
      const read = async (path: string): Promise<{ status: number; text: string }> => {
        const answer = await site.setting.get(path, person);
        return { status: answer.status, text: await answer.text() };
      };
      const absent = "018f0000-0000-7000-8000-000000000000";
      for (const [documents, status] of [
        [shown, 200],
        [hidden, 404],
      ] as const) {
        for (const { id, mark } of documents) {
          // The history of a document in the trash comes back with it.
          const isTrashed = mark.endsWith("trashed");
          for (const path of [`/documents/${id}`, ...(isTrashed ? [] : [`/documents/${id}/history`])]) {
            const answer = await read(path);
            expect([answer.status, path], mark).toEqual([status, path]);
            if (status === 404) expect(answer.text.includes(mark), path).toBe(false);
          }
        }
      }
      const unknown = (await read(`/documents/${absent}`)).text;
      for (const { id, mark } of hidden) {
        expect((await read(`/documents/${id}`)).text.replaceAll(id, absent), mark).toBe(unknown);
        const found = (await read(`/search?query=${mark}`)).text;
        expect(marksIn(found.slice(found.indexOf("<main")), [{ id, mark: `Title ${mark}` }]), mark).toEqual([]);
        expect((await read(`/tags/tag${mark}`)).text, mark).not.toContain(`Title ${mark}`);
      }
    },
  );

  it("the menu of a document offers each role what it may do, and nothing else", {
    meta: { proves: ["web.walk", "web.abilities"] },
    timeout: 3 * timeout,
  }, async () => {
    const find = (mark: string): string => team.documents.find((document) => document.mark === mark)?.id ?? mark;
    for (const [role, actions] of Object.entries(ownActions)) {
      const person = Object.entries(team.roles).find(([name]) => name === role)?.[1];
      if (person === undefined) throw new Error(`Nobody is ${role}`);
      await site.withPage(person, {}, async (page) => {
        await open(page, `/documents/${find(role === "guest" ? "markguestspublished" : "markteampublished")}`);
        await page.getByRole("main").getByRole("button", { name: "Actions" }).click();
        const offered = await menuEntries(page);
        expect(offered.sort(), role).toEqual([...actions, ...everybody].sort());
      });
    }
  });

  it("the stream of changes says nothing about what its reader may not see", {
    meta: { proves: ["web.walk"] },
    timeout,
  }, async () => {
    const { service, people, session } = site.setting.world;
    const { shown, hidden } = await split(team.roles.guest);
    const published = shown.find(({ mark }) => mark.endsWith("published"));
    if (published === undefined) throw new Error("The guest sees no document");
    const { cookie } = await session(team.roles.guest);
    const ending = new AbortController();
    const stream = await fetch(`${site.origin}/api/app.events`, { headers: { Cookie: cookie }, signal: ending.signal });
    if (stream.body === null) throw new Error("The stream has no body");
    for (const { id } of hidden.filter(({ mark }) => /published|draft/.test(mark))) {
      await invoke(service, operations.updateDocument, people.admin.actor, { id, title: "Changed unseen" });
    }
    await invoke(service, operations.updateDocument, people.admin.actor, { id: published.id, emoji: "🚀" });
    let received = "";
    const decoder = new TextDecoder();
    for await (const chunk of stream.body) {
      received += decoder.decode(chunk, { stream: true });
      if (received.includes(published.id)) break;
    }
    ending.abort();
    expect(hidden.filter(({ id }) => received.includes(id))).toEqual([]);
    expect(received).not.toContain("Changed unseen");
  });
});
