import type { DocumentView } from "@kb/core";
import type { ApiClient, One, Page } from "@kb/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSetting, type Setting, unknownId } from "./setting.ts";

type Hit = { document: DocumentView; snippet: string; score: number };

describe("GET /api/v1/search", () => {
  let setting: Setting;
  let editor: ApiClient;
  beforeAll(async () => {
    setting = await openSetting();
    editor = setting.as(setting.world.people.editor);
  });
  afterAll(() => setting.close());

  const make = async (input: object, by = editor): Promise<string> => {
    const json = { collectionId: setting.world.collections.open, publish: true, ...input };
    return (await by.post<One<DocumentView>>("/api/v1/documents", json)).body.data.id;
  };
  const search = async (query: string, more = "", by = editor): Promise<Page<Hit>> =>
    (await by.get<Page<Hit>>(`/api/v1/search?query=${encodeURIComponent(query)}${more}`)).body;
  const found = async (query: string, more = "", by = editor): Promise<string[]> =>
    (await search(query, more, by)).data.map((hit) => hit.document.id);

  it("answers {total, limit, offset, data: [{document, snippet, score}]} [decision.search.answer]", async () => {
    const id = await make({ title: "Wombat care", text: "Feed the **wombat** at dusk.", tags: ["animals"] });
    const { status, body } = await editor.get<Page<Hit>>("/api/v1/search?query=wombat");
    const document = (await editor.get<One<DocumentView>>(`/api/v1/documents/${id}`)).body.data;
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        ...{ total: 1, limit: 25, offset: 0 },
        data: [{ document, snippet: "Feed the <mark>wombat</mark> at dusk.", score: expect.any(Number) }],
      },
    });
    expect(body.data[0]?.score).toBeGreaterThan(0);
  });

  it("matches stand between <mark>, everything else is escaped [decision.search.snippet]", async () => {
    await make({ title: "Escapes", text: 'A quoll & a "numbat" in `<script>alert(1)</script>` quoll.' });
    const { data } = await search("quoll");
    expect(data[0]?.snippet).toContain("<mark>quoll</mark> &amp; a");
    expect(data[0]?.snippet).toContain("&lt;script&gt;");
    expect(data[0]?.snippet.replaceAll(/<\/?mark>/g, "")).not.toMatch(/[<>]/);
  });

  it("filters by collection, tag and status [decision.search.answer]", async () => {
    const { open, readable } = setting.world.collections;
    const here = await make({ title: "Bandicoot one", tags: ["Small", "grey"] });
    const there = await make({ title: "Bandicoot two", collectionId: readable });
    const draft = await make({ title: "Bandicoot three", publish: false });
    expect((await found("bandicoot")).sort()).toEqual([here, there, draft].sort());
    expect(await found("bandicoot", `&collectionId=${readable}`)).toEqual([there]);
    expect((await found("bandicoot", `&collectionId=${open}`)).sort()).toEqual([here, draft].sort());
    expect(await found("bandicoot", "&tag=SMALL&tag=grey")).toEqual([here]);
    expect(await found("bandicoot", "&tags=small,none")).toEqual([]);
    expect(await found("bandicoot", "&status=draft")).toEqual([draft]);
    expect(await found("bandicoot", `&collectionId=${unknownId}`)).toEqual([]);
  });

  it("limit and offset page through every hit once [decision.search.answer]", async () => {
    const made: string[] = [];
    for (let index = 0; index < 12; index += 1)
      made.push(await make({ title: `Numbat ${index}`, text: "numbat ".repeat(index) }));
    const seen: string[] = [];
    for (let offset = 0; offset < 15; offset += 5) {
      const page = await search("numbat", `&limit=5&offset=${offset}&collectionId=${setting.world.collections.open}`);
      expect({ limit: page.limit, offset: page.offset }).toEqual({ limit: 5, offset });
      seen.push(...page.data.map((hit) => hit.document.id).filter((id) => made.includes(id)));
    }
    expect(seen.sort()).toEqual([...made].sort());
  });

  it.each([
    "",
    "query=",
    "query=%20",
    `query=${"x".repeat(501)}`,
    "query=a&query=b",
    "query=a&limit=0",
    "query=a&limit=101",
    "query=a&status=x",
    "query=%00",
  ])("%s is a validation error [errors.validation]", async (query) => {
    expect(await editor.get(`/api/v1/search?${query}`)).toMatchObject({
      status: 400,
      body: { code: "validation_error" },
    });
  });

  it.each(["!!!", "&|!:*()", '"', "-", '"" -""', "\\", "'", "%_%", "-word", "🧪", "<->", "a:*b", "🇩🇪"])(
    "%s finds something or nothing, and breaks nothing [decision.search.answer]",
    async (query) => {
      const { data, total } = await search(query);
      expect(total).toBeGreaterThanOrEqual(data.length);
    },
  );

  it("permission is inside the query: totals and pages hold what the caller may read alone [decision.search.permission] [decision.api.hidden]", async () => {
    const admin = setting.as(setting.world.people.admin);
    const { vault, open } = setting.world.collections;
    // The hidden ones rank higher: they have the word in the title.
    for (let index = 0; index < 30; index += 1) await make({ title: `Dingo ${index}`, collectionId: vault }, admin);
    for (let index = 0; index < 26; index += 1)
      await make({ title: `Visible ${index}`, text: "a dingo", collectionId: open });
    const page = await search("dingo");
    expect({ total: page.total, rows: page.data.length }).toEqual({ total: 26, rows: 25 });
    expect(page.data.every((hit) => hit.document.collectionId === open)).toBe(true);
    expect((await search("dingo", "", admin)).total).toBe(56);
    expect((await search("dingo", "", setting.as(setting.world.people.outsider))).total).toBe(0);
    const viewer = setting.as(setting.world.people.viewer);
    expect((await search("dingo", "", viewer)).total).toBe(26);
    expect((await search("unfinished", "", viewer)).total).toBe(0);
    expect((await search("unfinished", "", editor)).total).toBe(1);
  });

  it("what is in the trash is never found [decision.documents.archived-hidden]", async () => {
    const id = await make({ title: "Potoroo" });
    await editor.delete<object>(`/api/v1/documents/${id}`);
    expect(await found("potoroo")).toEqual([]);
    await editor.post<object>(`/api/v1/documents/${id}/restore`);
    expect(await found("potoroo")).toEqual([id]);
  });

  it("what was written is found at once, what was taken out no more", async () => {
    const id = await make({ title: "T", text: "wallaby" });
    await editor.patch<object>(`/api/v1/documents/${id}`, { text: "euro" });
    expect([await found("wallaby"), await found("euro")]).toEqual([[], [id]]);
    await editor.post<object>(`/api/v1/documents/${id}/edits`, { op: "append", markdown: "pademelon" });
    expect(await found("pademelon")).toEqual([id]);
    await editor.patch<object>(`/api/v1/documents/${id}`, { title: "Tammar", tags: ["macropod"] });
    expect([await found("tammar"), await found("macropod"), await found("euro")]).toEqual([[id], [id], [id]]);
    await editor.patch<object>(`/api/v1/documents/${id}`, { tags: [] });
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
  ])("finds %s, with the match marked [decision.search.languages]", async (_, text, query) => {
    const id = await make({ title: "Of a language", text });
    const { data } = await search(query);
    const hit = data.find((one) => one.document.id === id);
    expect(hit?.snippet).toContain("<mark>");
  });

  it("a phrase in quotes is found as it stands, -word excludes [decision.search.languages]", async () => {
    const both = await make({ title: "Order", text: "blue gum tree and red gum" });
    const other = await make({ title: "Order", text: "gum blue and tree" });
    expect((await found("blue gum tree")).sort()).toEqual([both, other].sort());
    expect(await found('"blue gum tree"')).toEqual([both]);
    expect(await found("gum -red")).toEqual([other]);
    expect(await found('gum -"blue gum"')).toEqual([other]);
  });

  it("one slip in a word of five letters or more is forgiven [decision.search.typo]", async () => {
    const id = await make({ title: "Kookaburra", text: "laughing" });
    for (const typo of ["kookabura", "kookaburrra", "kookabirra", "kokoaburra", "lauhging"]) {
      expect(await found(typo), typo).toEqual([id]);
    }
    expect(await found("kxxkaburra")).toEqual([]);
    await make({ title: "Emus", text: "emus" });
    expect(await found("emms")).toEqual([]);
  });

  it("a slip does not tell of words that only hidden documents have [decision.api.hidden] [decision.search.permission]", async () => {
    await make(
      { title: "Thylacine", collectionId: setting.world.collections.vault },
      setting.as(setting.world.people.admin),
    );
    expect(await search("thylacina")).toMatchObject({ total: 0, data: [] });
  });

  it("the title counts most, then tags, headings, text [decision.search.ranking]", async () => {
    const inText = await make({ title: "A", text: "about the bilby" });
    const inHeading = await make({ title: "B", text: "## The bilby\n\nabout" });
    const inTags = await make({ title: "C", text: "about it all", tags: ["bilby"] });
    const inTitle = await make({ title: "The bilby", text: "about" });
    expect(await found("bilby")).toEqual([inTitle, inTags, inHeading, inText]);
  });
});
