import { callerOf } from "@kb/core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { searchParameters } from "../src/client/screens/search-parameters.ts";
import { mainOfPage } from "./main-of-page.ts";
import { openSetting, type Setting } from "./setting.ts";

describe("the page of a search, without script", () => {
  let setting: Setting;
  beforeAll(async () => {
    setting = await openSetting();
  });
  afterAll(() => setting?.close());

  const editor = () => callerOf(setting.world, setting.world.people.editor);
  const main = (search: string, person = setting.world.people.editor): Promise<string> =>
    mainOfPage(setting, `/search${search}`, person);
  const titles = (html: string): string[] => [...html.matchAll(/Numbat \w+/g)].map(([title]) => title).sort();

  it("narrows by collection, tag and state in the address, and its form keeps them", {
    meta: { proves: ["web.search.filters"] },
  }, async () => {
    const { open, readable } = setting.world.collections;
    await editor().create({ title: "Numbat one", publish: true, tags: ["small"], collectionId: open });
    await editor().create({ title: "Numbat two", publish: true, collectionId: readable });
    await editor().create({ title: "Numbat three", collectionId: open });
    const put = await editor().create({ title: "Numbat four", publish: true, collectionId: open });
    await editor().archive(put.id);
    expect(titles(await main("?query=numbat"))).toEqual(["Numbat one", "Numbat three", "Numbat two"]);
    expect(titles(await main(`?query=numbat&collection=${readable}`))).toEqual(["Numbat two"]);
    expect(titles(await main("?query=numbat&tag=small"))).toEqual(["Numbat one"]);
    expect(titles(await main("?query=numbat&status=draft"))).toEqual(["Numbat three"]);
    expect(titles(await main("?query=numbat&status=archived"))).toEqual(["Numbat four"]);
    const form = await main(`?query=numbat&collection=${open}&tag=small&status=published`);
    expect(titles(form)).toEqual(["Numbat one"]);
    for (const value of [open, "small", "published"]) expect(form).toContain(`<option value="${value}" selected>`);
  });

  it("says when similar words were found, and offers the same search without its filters when nothing was", {
    meta: { proves: ["web.search", "web.search.filters"] },
  }, async () => {
    await editor().create({ title: "Wallaby crossing", publish: true });
    expect(await main("?query=wallaby")).not.toContain("similar words");
    expect(await main("?query=wallabi")).toContain("These results have similar words.");
    const nothing = await main("?query=wallaby&status=archived");
    expect(nothing).toContain("with these filters");
    expect(nothing).toContain('href="/search?query=wallaby"');
    expect(await main("?query=nothinglikethis")).toContain("Check the spelling");
  });

  it("a collection that is hidden is like one that does not exist, also among the choices", {
    meta: { proves: ["web.search.filters", "web.page.hidden"] },
  }, async () => {
    const { people, collections } = setting.world;
    const absent = "018f0000-0000-7000-8000-000000000000";
    const [hidden, missing] = await Promise.all(
      [collections.vault, absent].map(async (id) =>
        (await main(`?query=wallaby&collection=${id}`, people.viewer)).replaceAll(id, "{id}"),
      ),
    );
    expect(hidden).toContain("Collection not found");
    expect(hidden).toBe(missing);
  });

  it("has links to its other pages, which keep the filters", { meta: { proves: ["web.search.filters"] } }, async () => {
    for (let n = 0; n < 51; n += 1) await editor().create({ title: `Quoll ${n}`, publish: true, tags: ["many"] });
    expect(await main("?query=quoll&tag=many")).toContain('href="/search?query=quoll&amp;tag=many&amp;page=2"');
    const second = await main("?query=quoll&tag=many&page=2");
    expect([...second.matchAll(/Quoll \d+/g)]).toHaveLength(1);
    expect(second).toContain('href="/search?query=quoll&amp;tag=many&amp;page=1"');
  });
});

it("an address that makes no sense shows a page all the same", () => {
  expect(searchParameters({ query: "\0 7", collection: "x", tag: "  ", status: "deleted", page: "-1" })).toEqual({
    query: "7",
  });
  const long = searchParameters({ query: "𝒳".repeat(400), tag: "a".repeat(200), page: "9999999" });
  expect(long).toEqual({ query: "𝒳".repeat(250), tag: "a".repeat(64), page: 1_000 });
});
