import { callerOf, outcomeOf, unknownId } from "@kb/core/testing";
import { describe, expect, it } from "vitest";
import { testWorld } from "../testing/test-world.ts";

const { world } = await testWorld();
const editor = callerOf(world, world.people.editor);
const admin = callerOf(world, world.people.admin);

const create = async (input: object, by = editor): Promise<string> => (await by.create({ publish: true, ...input })).id;
const found = async (query: string, filters: object = {}): Promise<string[]> =>
  (await editor.search(query, filters)).data.map((hit) => hit.document.id);

describe("a search", () => {
  it("returns documents with a snippet and a score, and the total", {
    meta: { proves: ["decision.search.answer"] },
  }, async () => {
    const id = await create({ title: "Wombat care", text: "Feed the **wombat** at dusk.", tags: ["animals"] });
    const document = await editor.get(id);
    const page = await editor.search("wombat");
    expect(page).toEqual({
      total: 1,
      limit: 25,
      offset: 0,
      data: [{ document, snippet: "Feed the <mark>wombat</mark> at dusk.", score: expect.any(Number) }],
    });
    expect(page.data[0]?.score).toBeGreaterThan(0);
  });

  it("marks matches and escapes everything else", { meta: { proves: ["decision.search.snippet"] } }, async () => {
    await create({ title: "Escapes", text: 'A quoll & a "numbat" in `<script>alert(1)</script>` quoll.' });
    const snippet = (await editor.search("quoll")).data[0]?.snippet;
    expect(snippet).toContain("<mark>quoll</mark> &amp; a");
    expect(snippet).toContain("&lt;script&gt;");
    expect(snippet?.replaceAll(/<\/?mark>/g, "")).not.toMatch(/[<>]/);
  });

  it("filters by collection, tag and status", { meta: { proves: ["decision.search.answer"] } }, async () => {
    const { open, readable } = world.collections;
    const here = await create({ title: "Bandicoot one", tags: ["Small", "grey"] });
    const there = await create({ title: "Bandicoot two", collectionId: readable });
    const draft = await create({ title: "Bandicoot three", publish: false });
    expect((await found("bandicoot")).sort()).toEqual([here, there, draft].sort());
    expect(await found("bandicoot", { collectionId: readable })).toEqual([there]);
    expect((await found("bandicoot", { collectionId: open })).sort()).toEqual([here, draft].sort());
    expect(await found("bandicoot", { tag: ["SMALL", "grey"] })).toEqual([here]);
    expect(await found("bandicoot", { tags: "small,none" })).toEqual([]);
    expect(await found("bandicoot", { status: ["draft"] })).toEqual([draft]);
    expect(await found("bandicoot", { collectionId: unknownId })).toEqual([]);
  });

  it("pages through every hit once", { meta: { proves: ["decision.search.answer"] } }, async () => {
    const made: string[] = [];
    for (let index = 0; index < 12; index += 1) {
      made.push(await create({ title: `Numbat ${index}`, text: "numbat ".repeat(index) }));
    }
    const seen: string[] = [];
    for (let offset = 0; offset < 15; offset += 5) {
      const page = await editor.search("numbat", { limit: 5, offset, collectionId: world.collections.open });
      expect({ limit: page.limit, offset: page.offset }).toEqual({ limit: 5, offset });
      seen.push(...page.data.map((hit) => hit.document.id).filter((id) => made.includes(id)));
    }
    expect(seen.sort()).toEqual([...made].sort());
  });

  it.each<[string, object]>([
    ["an empty query", { query: "" }],
    ["a query of white space", { query: " " }],
    ["a query of 501 characters", { query: "x".repeat(501) }],
    ["a query with a null character", { query: "\u0000" }],
    ["a limit of 0", { query: "a", limit: 0 }],
    ["a limit of 101", { query: "a", limit: 101 }],
    ["an unknown status", { query: "a", status: ["x"] }],
  ])(
    "refuses %s",
    { meta: { proves: ["errors.validation"] } },
    async (_, { query, ...filters }: { query?: string }) => {
      expect(await outcomeOf(editor.search(query ?? "", filters))).toBe("validation_error");
    },
  );

  it.each(["!!!", "&|!:*()", '"', "-", '"" -""', "\\", "'", "%_%", "-word", "🧪", "<->", "a:*b", "🇩🇪"])(
    "accepts %s",
    { meta: { proves: ["decision.search.answer"] } },
    async (query) => {
      const { data, total } = await editor.search(query);
      expect(total).toBeGreaterThanOrEqual(data.length);
    },
  );
});

describe("the hits of a search", () => {
  it("are only documents that the caller may read, in totals and pages", {
    meta: { proves: ["decision.search.permission", "decision.api.hidden"] },
  }, async () => {
    const { vault, open } = world.collections;
    // The hidden ones rank higher: they have the word in the title.
    for (let index = 0; index < 30; index += 1) await create({ title: `Dingo ${index}`, collectionId: vault }, admin);
    for (let index = 0; index < 26; index += 1) await create({ title: `Visible ${index}`, text: "a dingo" });
    const page = await editor.search("dingo");
    expect({ total: page.total, rows: page.data.length }).toEqual({ total: 26, rows: 25 });
    expect(page.data.every((hit) => hit.document.collectionId === open)).toBe(true);
    const viewer = callerOf(world, world.people.viewer);
    const outsider = callerOf(world, world.people.outsider);
    expect((await admin.search("dingo")).total).toBe(56);
    expect((await outsider.search("dingo")).total).toBe(0);
    expect((await viewer.search("dingo")).total).toBe(26);
    expect((await viewer.search("unfinished")).total).toBe(0);
    expect((await editor.search("unfinished")).total).toBe(1);
  });

  it("are never in the trash", { meta: { proves: ["decision.documents.archived-hidden"] } }, async () => {
    const id = await create({ title: "Potoroo" });
    await editor.delete(id);
    expect(await found("potoroo")).toEqual([]);
    await editor.restore(id);
    expect(await found("potoroo")).toEqual([id]);
  });

  it("follow each change at once", async () => {
    const id = await create({ title: "T", text: "wallaby" });
    await editor.update(id, { text: "euro" });
    expect([await found("wallaby"), await found("euro")]).toEqual([[], [id]]);
    await editor.edit(id, { op: "append", markdown: "pademelon" });
    expect(await found("pademelon")).toEqual([id]);
    await editor.update(id, { title: "Tammar", tags: ["macropod"] });
    expect([await found("tammar"), await found("macropod"), await found("euro")]).toEqual([[id], [id], [id]]);
    await editor.update(id, { tags: [] });
    expect(await found("macropod")).toEqual([]);
  });

  it.each([
    ["English, by the beginning of a word", "The deployment guidelines", "deploy guide"],
    ["French, accents folded", "Une élève à l'école française", "eleve ecole francaise"],
    ["German", "Die Straße überquert", "strasse uberquert"],
    ["Russian", "Настройка маршрутизации сервера", "маршрут"],
    ["Greek, accents folded", "Οδηγός εγκατάστασης", "εγκαταστασης"],
    ["Arabic", "دليل تثبيت الخادم", "تثبيت"],
    ["Hebrew", "מדריך התקנה לשרת", "התקנה"],
    ["Hindi", "सर्वर स्थापना मार्गदर्शिका", "स्थापना"],
    ["Chinese, by a part of a run", "如何配置静态站点生成器", "静态站点"],
    ["Japanese, by a part of a run", "静的サイトジェネレーターの設定方法", "ジェネレーター"],
    ["Korean, by a part of a word", "정적사이트생성기설정", "사이트생성"],
    ["Thai, by a part of a run", "วิธีตั้งค่าเว็บไซต์แบบสแตติก", "เว็บไซต์"],
    ["Vietnamese, accents folded", "Hướng dẫn cài đặt máy chủ", "huong dan cai dat"],
  ])(
    "include %s, with the match marked",
    {
      meta: { proves: ["decision.search.languages"] },
    },
    async (_, text, query) => {
      const id = await create({ title: "Of a language", text });
      const hit = (await editor.search(query)).data.find((one) => one.document.id === id);
      expect(hit?.snippet).toContain("<mark>");
    },
  );

  it("match a phrase in quotes as it stands, and lack a -word", {
    meta: { proves: ["decision.search.languages"] },
  }, async () => {
    const both = await create({ title: "Order", text: "blue gum tree and red gum" });
    const other = await create({ title: "Order", text: "gum blue and tree" });
    expect((await found("blue gum tree")).sort()).toEqual([both, other].sort());
    expect(await found('"blue gum tree"')).toEqual([both]);
    expect(await found("gum -red")).toEqual([other]);
    expect(await found('gum -"blue gum"')).toEqual([other]);
  });

  it("have the options of a command, and a quoted name within longer ones, up to the borders of its words", {
    meta: { proves: ["decision.search.languages"] },
  }, async () => {
    const command = await create({ title: "Command", text: "Run `svn relocate --ignore-externals`" });
    expect(await found("relocate --ignore-externals")).toEqual([command]);
    expect(await found("relocate -ignore-externals")).toEqual([]);
    const names = ["rate_limit", "rate_limit.burst", "my.rate_limit-v2"];
    const holders = await Promise.all(names.map((name) => create({ title: "Names", text: `Set \`${name}\`` })));
    await create({ title: "Names", text: "Set `rate_limits` or `accelerate_limit`" });
    expect((await found('"rate_limit"')).sort()).toEqual(holders.sort());
    expect((await found('set names -"rate_limit"')).filter((id) => holders.includes(id))).toEqual([]);
  });

  it("are found despite one typo in a word of five letters or more", {
    meta: { proves: ["decision.search.typo"] },
  }, async () => {
    const id = await create({ title: "Kookaburra", text: "laughing" });
    for (const typo of ["kookabura", "kookaburrra", "kookabirra", "kokoaburra", "lauhging"]) {
      expect(await found(typo), typo).toEqual([id]);
    }
    expect(await found("kxxkaburra")).toEqual([]);
    await create({ title: "Emus", text: "emus" });
    expect(await found("emms")).toEqual([]);
  });

  it("do not reveal by a typo the words of hidden documents", {
    meta: { proves: ["decision.api.hidden", "decision.search.permission"] },
  }, async () => {
    await create({ title: "Thylacine", collectionId: world.collections.vault }, admin);
    expect(await editor.search("thylacina")).toMatchObject({ total: 0, data: [] });
  });

  it("are ordered by a match in the title, then in tags, headings and text", {
    meta: { proves: ["decision.search.ranking"] },
  }, async () => {
    const inText = await create({ title: "A", text: "about the bilby" });
    const inHeading = await create({ title: "B", text: "## The bilby\n\nabout" });
    const inTags = await create({ title: "C", text: "about it all", tags: ["bilby"] });
    const inTitle = await create({ title: "The bilby", text: "about" });
    expect(await found("bilby")).toEqual([inTitle, inTags, inHeading, inText]);
  });
});
