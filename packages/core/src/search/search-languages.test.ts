import { createWorld, type World } from "@kb/core/testing";
import { type TestDatabase, testDatabase } from "@kb/db/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { invoke } from "../invoke.ts";
import * as operations from "../operations.ts";

let store: TestDatabase;
let world: World;

beforeAll(async () => {
  store = await testDatabase();
  world = await createWorld(store.database);
  for (const [title, text] of Object.entries(library)) {
    await invoke(world.service, operations.createDocument, world.people.admin.actor, {
      title,
      text,
      collectionId: world.collections.open,
      publish: true,
    });
  }
});
afterAll(() => store?.drop());

const library = {
  Installation:
    "# Set-up\n\nRun `kb-mcp-stdio` with **Node.js** 24, or link it from C++.\n\nThe quick, brown fox jumps.",
  "Guide de l’été": "Où est l’élève naïf ? Le cœur de la forêt.",
  Größen: "Die Straße ist größer als gedacht.",
  Ёлка: "Новогодняя ёлка стоит в моём доме. Мой ёжик спит.",
  تحية: "قال: السَّلامُ عَلَيْكُمْ في المكتبةِ الكبيرة.",
  नमस्ते: "कंप्यूटर में हिन्दी लिखना आसान है।",
  安装指南: "请先安装组件，然后运行服务器。",
  東京案内: "東京都に住んでいます。ファイルを保存する。",
  안내: "한국어 문서를 검색합니다.",
  ภาษาไทย: "ภาษาไทยเขียนติดกันโดยไม่มีช่องว่าง",
  Tiếng: "Việt Nam đường phố",
};

const search = (query: string) =>
  invoke(world.service, operations.searchDocuments, world.people.viewer.actor, { query });

describe("finds, with a snippet that marks the place", () => {
  test.each([
    ["an English word", "fox", "Installation", "<mark>fox</mark>"],
    ["the beginning of a word", "jum", "Installation", "<mark>jumps</mark>"],
    ["several words in any order", "fox quick", "Installation", "<mark>quick</mark>, brown <mark>fox</mark>"],
    [
      "a phrase, whatever stands between its words",
      '"quick brown fox"',
      "Installation",
      "<mark>quick, brown fox</mark>",
    ],
    ["a name with signs", "C++", "Installation", "<mark>C++</mark>"],
    ["the tail of a compound", "mcp-stdio", "Installation", "<mark>mcp-stdio</mark>"],
    ["a part of a compound", "stdio", "Installation", "<mark>stdio</mark>"],
    ["French without its accents", "eleve foret coeur", "Guide de l’été", "<mark>élève</mark>"],
    ["French with an apostrophe", "l'élève", "Guide de l’été", "<mark>l</mark>’<mark>élève</mark>"],
    ["German written in ASCII", "strasse grosser", "Größen", "<mark>Straße</mark>"],
    ["German in capitals", "GRÖSSER", "Größen", "<mark>größer</mark>"],
    ["Russian, ё typed as е", "елка", "Ёлка", "<mark>ёлка</mark>"],
    ["Arabic without its points", "السلام عليكم", "تحية", "<mark>السَّلامُ</mark>"],
    ["Arabic teh marbuta typed as heh", "المكتبه", "تحية", "<mark>المكتبةِ</mark>"],
    ["Hindi", "हिन्दी", "नमस्ते", "<mark>हिन्दी</mark>"],
    ["a substring of Chinese", "装组件", "安装指南", "请先安<mark>装组件</mark>"],
    ["a substring of Japanese", "京都に", "東京案内", "東<mark>京都に</mark>住"],
    ["Japanese in half-width forms", "ﾌｧｲﾙ", "東京案内", "<mark>ファイル</mark>"],
    ["one Chinese character", "器", "安装指南", "服务<mark>器</mark>"],
    ["a substring of Korean", "서를", "안내", "문<mark>서를</mark>"],
    ["a substring of Thai", "ติดกัน", "ภาษาไทย", "<mark>ติดกัน</mark>"],
    ["Vietnamese without its marks", "duong pho", "Tiếng", "<mark>đường</mark> <mark>phố</mark>"],
    ["a word with one letter wrong", "brwon", "Installation", "<mark>brown</mark>"],
    ["a word with a letter too few", "qick", "Installation", null],
    ["a word of five letters with a letter too few", "jumsp", "Installation", "<mark>jumps</mark>"],
    ["a Russian word with two letters swapped", "новогондяя", "Ёлка", "<mark>Новогодняя</mark>"],
  ])("%s", async (_, query, title, snippet) => {
    const { total, data } = await search(query);
    if (snippet === null) return expect(total).toBe(0);
    expect(total).toBe(1);
    expect(data[0]?.document.title).toBe(title);
    expect(data[0]?.snippet).toContain(snippet);
    expect(data[0]?.score).toBeGreaterThan(0);
  });
});

describe("does not find", () => {
  test.each([
    ["words of a phrase in another order", '"brown quick"'],
    ["a phrase that ends within a word", '"quick bro"'],
    ["an excluded word", "fox -quick"],
    ["an excluded phrase", 'fox -"quick brown"'],
    ["an excluded substring", "東京 -住んで"],
    ["a word that stands only within others", "umps"],
    ["й for и", "мои"],
    ["characters that stand apart", "東住んで"],
    ["two slips in one word", "bwron jmups"],
    ["nothing but signs", "?!"],
    ["nothing but what is not wanted", "-fox"],
  ])("%s", async (_, query) => expect(await search(query)).toMatchObject({ total: 0, data: [] }));
});

test("a document found only by its title shows its beginning", async () => {
  const { data } = await search("Installation");
  expect(data[0]?.snippet).toMatch(/^Set-up Run kb-mcp-stdio with Node\.js 24/);
});
