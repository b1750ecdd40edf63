import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { languageOf, languages } from "./language.ts";

describe("the language of a text", () => {
  it.each([
    ["en", "The quick brown fox jumps over the lazy dog, and it is not the only one of them."],
    ["de", "Der schnelle Fuchs springt über den Hund, und das ist nicht der einzige von ihnen."],
    ["fr", "Le renard saute par-dessus le chien, et ce n'est pas le seul que vous avez vu dans la forêt."],
    ["es", "El zorro salta sobre el perro, pero no es el único que está en el bosque con los otros."],
    ["pt", "A raposa salta sobre o cão, mas não é a única que está na floresta com os outros."],
    ["it", "La volpe salta sopra il cane, ma non è la sola che si trova nella foresta con gli altri."],
    ["nl", "De vos springt over de hond, en dat is niet de enige die je in het bos kan zien."],
    ["sv", "Räven hoppar över hunden, och det är inte den enda som du kan se i skogen när det är natt."],
    ["pl", "Lis skacze przez psa, ale nie jest to jedyny, który jest w lesie, i można go tam zobaczyć."],
    ["tr", "Tilki köpeğin üzerinden atlar ve bu ormanda olan tek bir hayvan değil, daha çok var."],
    ["ru", "Лиса прыгает через собаку, и она не единственная в лесу."],
    ["uk", "Лисиця стрибає через собаку, і вона не єдина в лісі."],
    ["ar", "يقفز الثعلب فوق الكلب وهو ليس الوحيد في الغابة."],
    ["fa", "روباه از روی سگ می‌پرد و او تنها کسی نیست که در جنگل است، چون گرگ هم هست."],
    ["hi", "लोमड़ी कुत्ते के ऊपर कूदती है और वह जंगल में अकेली नहीं है।"],
    ["ja", "狐は犬を飛び越えます。森の中では一匹だけではありません。"],
    ["zh", "狐狸跳过了狗，它不是森林里唯一的一只。"],
    ["ko", "여우가 개를 뛰어넘습니다. 숲에 있는 유일한 여우는 아닙니다."],
  ])("is %s by its script or its frequent words", (language, text) => {
    expect(languageOf(text)).toBe(language);
    expect(languages).toContain(language);
  });

  it.each([
    ["nothing", ""],
    ["numbers", "1 2 3 4 5"],
    ["two words", "Hello world"],
    ["code", "const x = await fetch(url); return x.json();"],
  ])("is not known of %s", (_, text) => expect(languageOf(text)).toBeNull());

  it("is that of the code around it where most letters are Latin: a Japanese page with much code is Japanese", () => {
    expect(
      languageOf(`これは設定ファイルの例です。次のように書きます。\n${"const value = config.get('key');\n".repeat(5)}`),
    ).toBe("ja");
  });

  it("is found for nearly all real documents of the sample, whose folders name it", () => {
    const sample = resolve(import.meta.dirname, "../../../markdown-codec/test/sample");
    const paths = globSync("{??,??-??}/*.md", { cwd: sample });
    const wrong = paths.filter((path) => {
      const text = readFileSync(resolve(sample, path), "utf8").replace(/^---\n[\s\S]*?\n---\n/, "");
      return languageOf(text) !== path.slice(0, 2);
    });
    expect(paths.length).toBeGreaterThan(20);
    expect(wrong.length).toBeLessThanOrEqual(2);
  });

  it("takes the same short time for a text of a million characters, because only its beginning is read", () => {
    const text = "The words of this text are many. ".repeat(30_000);
    const before = process.cpuUsage();
    for (let run = 0; run < 100; run += 1) languageOf(text);
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(500);
  });
});
