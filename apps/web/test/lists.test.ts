import { invoke, operations } from "@kb/core";
import { callerOf } from "@kb/core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mainOfPage } from "./main-of-page.ts";
import { openSetting, type Setting } from "./setting.ts";

describe("pages of lists and of history", () => {
  let setting: Setting;
  beforeAll(async () => {
    setting = await openSetting();
  });
  afterAll(() => setting.close());

  const editor = () => callerOf(setting.world, setting.world.people.editor);
  const html = async (path: string, person = setting.world.people.editor): Promise<string> => {
    const answer = await setting.get(path, person);
    expect(answer.status, path).toBe(200);
    return answer.text();
  };
  const titleOf = (text: string): string | undefined => /<h1[^>]*>(.*?)<\/h1>/.exec(text)?.[1];

  it("a restricted tag is marked for those on its list, and absent for others", {
    meta: { proves: ["web.page.hidden", "tag.restricted-hidden"] },
  }, async () => {
    const { people } = setting.world;
    expect(await html("/tags", people.admin)).toContain('<span class="tag">Restricted</span>');
    expect(await html("/tags", people.viewer)).not.toContain("Restricted");
  });

  it("drafts, archive, trash, tags and a tag list what the reader may see, as valid HTML without script", {
    meta: { proves: ["web.lists"] },
  }, async () => {
    const titles = { draft: "Only a draft", archived: "Put away", trashed: "Thrown away", tagged: "With a tag" };
    await editor().create({ title: titles.draft });
    const archived = await editor().create({ title: titles.archived, publish: true });
    await editor().archive(archived.id);
    const trashed = await editor().create({ title: titles.trashed, publish: true });
    await editor().delete(trashed.id);
    await editor().create({ title: titles.tagged, publish: true, tags: ["a/b & c"] });
    const tag = `/tags/${encodeURIComponent("a/b & c")}`;
    const expected: readonly (readonly [path: string, title: string])[] = [
      ["/drafts", titles.draft],
      ["/archive", titles.archived],
      ["/trash", titles.trashed],
      ["/tags", "a/b &amp; c"],
      [tag, titles.tagged],
    ];
    for (const [path, title] of expected) expect(await mainOfPage(setting, path), path).toContain(title);
    expect(titleOf(await html(tag))).toBe("a/b &amp; c");
    expect(await html("/trash", setting.world.people.viewer)).not.toContain(titles.trashed);
    expect(await html("/drafts", setting.world.people.viewer)).not.toContain(titles.draft);
  });

  it("the archive and the trash name who put a document there, unless it was changed since", async () => {
    const { world } = setting;
    const boss = callerOf(world, world.people.admin);
    const by = ` · <bdi>${world.people.admin.name}</bdi>`;
    const rowOf = (text: string, title: string): string =>
      new RegExp(`<li><a [^>]*>\\s*<span class="row-title"[^>]*>(?:<bdi>)?${title}.*?</li>`, "s").exec(text)?.[0] ?? "";
    const { id } = await editor().create({ title: "Filed by the admin", publish: true });
    await boss.archive(id);
    expect(rowOf(await html("/archive"), "Filed by the admin")).toContain(by);
    await boss.delete((await editor().create({ title: "Binned by the admin", publish: true })).id);
    expect(rowOf(await html("/trash"), "Binned by the admin")).toContain(by);
    // A change of the row after it was archived: its last modifier is somebody else then.
    const where = { teamId_id: { teamId: world.teamId, id } };
    await world.service.database.client.document.update({ where, data: { updatedAt: new Date() } });
    const later = rowOf(await html("/archive"), "Filed by the admin");
    expect(later).toContain("Archived");
    expect(later).not.toContain(by);
  });

  it("the history of a document is readable without script, each version with its changes, and hidden with its document", {
    meta: { proves: ["web.lists", "web.history"] },
  }, async () => {
    const { world } = setting;
    const { id } = await editor().create({ title: "Grown", text: "# One\n\nfirst <b>line</b>", publish: true });
    await callerOf(world, world.people.admin).update(id, { text: "# One\n\nsecond line" });
    const list = await html(`/documents/${id}/history`);
    expect(list).toContain(`href="/documents/${id}/history/2"`);
    const text = await html(`/documents/${id}/history/2`);
    expect(text).toMatch(/<article class="prose"[^>]*>[\s\S]*second line[\s\S]*<\/article>/);
    expect(text).toContain('<ins dir="auto">second line</ins>');
    expect(text).not.toContain("<b>line</b>");
    await editor().undoRevision(id, 2);
    expect(await html(`/documents/${id}/history`)).toContain("Undoes revision 2 · ");
    expect(await html(`/documents/${id}/history/3`)).toContain("<span>Undoes revision 2</span>");
    expect((await setting.get(`/documents/${id}/history/99`, world.people.editor)).status).toBe(404);
    await invoke(world.service, operations.updateDocument, world.people.admin.actor, {
      id,
      collectionId: world.collections.vault,
    });
    for (const path of [`/documents/${id}/history`, `/documents/${id}/history/2`]) {
      expect((await setting.get(path, world.people.viewer)).status, path).toBe(404);
    }
  });

  it("the history of a document with one stored version says why its number is higher", async () => {
    const { id } = await editor().create({ title: "Once", text: "One.", publish: true });
    expect(await html(`/documents/${id}/history`)).toContain("There is only one version so far.");
    await editor().update(id, { text: "Two." });
    const list = await html(`/documents/${id}/history`);
    expect(list).toContain(`href="/documents/${id}/history/2"`);
    expect(list).not.toContain("There is only one version so far.");
    expect(list).toContain("Changes by one person within five minutes make one version");
  });

  it("the history without script groups the versions by day, and names the key that made one", async () => {
    const { id } = await editor().create({ title: "By a key", publish: true });
    const list = await html(`/documents/${id}/history`);
    expect(list).toMatch(/<section class="part"><h2>[^<]*\d{4}<\/h2><ul class="rows"><li>/);
    expect(list).toMatch(/<bdi>[^<]+<\/bdi> · <bdi>Everyday<\/bdi> · <time /);
  });

  it("the first page lists what the reader opened last, and what they drafted", { timeout: 40_000 }, async () => {
    const { viewer } = setting.world.people;
    const { id } = await editor().create({ title: "Opened lately", publish: true });
    await editor().create({ title: "Begun lately" });
    await html(`/documents/${id}`, viewer);
    const recent = /<h2>Recently viewed<\/h2>.*?<\/section>/s;
    // Views are written together, after a second.
    await expect
      .poll(async () => recent.exec(await html("/", viewer))?.[0], { timeout: 20_000 })
      .toContain("Opened lately");
    const own = await html("/");
    expect(/<h2>My drafts<\/h2>.*?<\/section>/s.exec(own)?.[0]).toContain("Begun lately");
  });

  it("a long history without script is a list of pages", { timeout: 60_000 }, async () => {
    const { world } = setting;
    const { id } = await editor().create({ title: "Long", publish: true });
    const writers = [callerOf(world, world.people.admin), editor()];
    // Changes of two people in turn are a version each.
    for (let change = 0; change < 55; change += 1) await writers[change % 2]?.update(id, { text: `Change ${change}` });
    const rowsOf = (text: string): number => [...text.matchAll(/<li><a href="[^"]*\/history\/\d+">/g)].length;
    const first = await html(`/documents/${id}/history`);
    expect(rowsOf(first)).toBe(50);
    expect(first).toContain(`href="/documents/${id}/history?page=2"`);
    const second = await html(`/documents/${id}/history?page=2`);
    expect(rowsOf(second)).toBe(6);
    expect(second).toContain(`href="/documents/${id}/history/1"`);
    expect(second).toContain(`href="/documents/${id}/history"`);
  });

  it("a document shows what links to it, its words and its history", { meta: { proves: ["web.lists"] } }, async () => {
    const target = await editor().create({ title: "Linked", text: "Three words here.", publish: true });
    await editor().create({ title: "The source", text: `[see](/documents/${target.id})`, publish: true });
    const text = await html(`/documents/${target.id}`);
    const main = text.slice(text.indexOf("<main"), text.indexOf("</main>"));
    expect(main).toContain("The source");
    expect(main).toContain("3 words");
    expect(main).toContain(`/documents/${target.id}/history`);
  });

  it("the page that ends a log-in in a second tab needs no session", {
    meta: { proves: ["web.states.log-in"] },
  }, async () => {
    const answer = await setting.get("/logged-in", null);
    expect([answer.status, titleOf(await answer.text())]).toEqual([200, "You are logged in"]);
  });
});
