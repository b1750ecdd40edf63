import { describe, expect, it } from "vitest";
import { searchForAssistants } from "../assistants/search.ts";
import { invoke } from "../invoke.ts";
import { callerOf } from "../testing/index.ts";
import { testWorld } from "../testing/test-world.ts";
import { searchDocuments } from "./search.ts";

const { world } = await testWorld();
const editor = callerOf(world, world.people.editor);
const { actor } = world.people.editor;

const titles = async (query: string, more: object = {}): Promise<string[]> =>
  (await invoke(world.service, searchDocuments, actor, { query, ...more })).data.map(
    ({ document }) => document.title ?? "",
  );
const create = (title: string, text: string, more: object = {}) => editor.create({ title, text, ...more });

describe("the first hits", () => {
  it("are titles that are the query, then titles that begin with it, whatever the text says", {
    meta: { proves: ["decision.search.ranked"] },
  }, async () => {
    await create("Options", "ocelot settings ".repeat(50), { tags: ["ocelot settings"] });
    await create("A tour", "# Ocelot settings\n\nocelot settings");
    await create("Ocelot Settings, continued", "More words. ".repeat(400));
    await create("Ocelot Settings", "Some words. ".repeat(4_000));
    await create("All ocelot settings", "ocelot settings");
    expect((await titles("ocelot settings")).slice(0, 3)).toEqual([
      "Ocelot Settings",
      "Ocelot Settings, continued",
      "All ocelot settings",
    ]);
    expect((await titles("OCELOT set")).slice(0, 2)).toEqual(
      expect.arrayContaining(["Ocelot Settings", "Ocelot Settings, continued"]),
    );
  });

  it.each([
    ["with signs", "Lemur.config()", "lemur.config"],
    ["in a script without spaces", "狐猴配置参考", "狐猴配置参考"],
    ["with a word twice", "the name of the lemur", "the name of the lemur"],
    ["with accents", "Lémurien", "lemurien"],
    ["in quotation marks", "Lemur handbook", '"lemur handbook"'],
  ])("is a title %s", async (_, title, query) => {
    await create(`About: ${title}`, `${title} `.repeat(20));
    await create(title, "Nothing.");
    await create(`Also ${title}`, `# ${title}\n\n${title}`);
    expect((await titles(query))[0]).toBe(title);
  });

  it("keep their place among more hits than are ranked by their words", async () => {
    await create("Bulk", "first");
    for (let number = 0; number < 510; number += 1) await create(`The bulk ${number}`, "bulk");
    expect(await titles("bulk", { limit: 3 })).toEqual(["Bulk", "The bulk 509", "The bulk 508"]);
  }, 60_000);

  it("are those of a section with the name of the query, before pages that say the words in other places", async () => {
    await create("Short", "Gibbon aliases are nice. Import of a gibbon.");
    await create(
      "Long",
      `# Words\n\n${"Other text here. ".repeat(500)}\n\n## Gibbon import aliases\n\n${"More. ".repeat(500)}`,
    );
    await create("Other", "# Gibbon\n\nimport\n\n# Aliases\n\nnothing");
    expect((await titles("gibbon import aliases"))[0]).toBe("Long");
  });

  it("are a long page about a word before a short one that mentions it", async () => {
    await create("A note", "We saw a marmoset.");
    await create("Animals", `${"marmoset and other words of it. ".repeat(300)}\n\n## Marmoset in the wood\n\ntext`);
    expect(await titles("marmoset")).toEqual(["Animals", "A note"]);
  });
});

const german = "Das Tapirhaus ist nicht der einzige Ort, an dem sie einen Tapir sehen und auch füttern können.";
const english = "The house of the tapir is not the only place at which you can see one and feed it.";

describe("the preferred language", () => {
  it("comes first, then documents whose language is not clear, then the others", {
    meta: { proves: ["decision.search.language"] },
  }, async () => {
    await create("Tapir", english);
    await create("Haus des Tapir", german);
    await create("Tapir 24", "tapir");
    expect(await titles("tapir", { lang: "de" })).toEqual(["Tapir 24", "Haus des Tapir", "Tapir"]);
    expect(await titles("tapir", { lang: "en-GB" })).toEqual(["Tapir", "Tapir 24", "Haus des Tapir"]);
    expect((await titles("tapir"))[0]).toBe("Tapir");
  });

  it("follows a change of the text", async () => {
    const { id } = await create("Anoa", `anoa ${english}`);
    await create("Second", `anoa ${english}`);
    expect(await titles("anoa", { lang: "de" })).toEqual(["Anoa", "Second"]);
    await editor.update(id, { text: `anoa ${english.replaceAll("tapir", "anoa")}` });
    await create("Dritte", `anoa ${german}`);
    expect((await titles("anoa", { lang: "de" }))[0]).toBe("Dritte");
  });

  it("comes first among more hits than are ranked, too", async () => {
    await create("Altes", `kudu ${german}`);
    for (let number = 0; number < 510; number += 1) await create(`Kudu ${number}`, `kudu ${english}`);
    expect((await titles("kudu", { lang: "de", limit: 2 }))[0]).toBe("Altes");
  }, 60_000);

  it("must be a language tag; the error says so", async () => {
    const call = invoke(world.service, searchDocuments, actor, { query: "tapir", lang: "german please" });
    await expect(call).rejects.toMatchObject({
      code: "validation_error",
      details: [{ path: "lang", message: expect.stringContaining("pt-BR") }],
    });
  });

  it("is told to assistants for each hit, and left out where it is not clear", {
    meta: { proves: ["decision.search.language"] },
  }, async () => {
    await create("Dikdik", `dikdik ${german}`);
    await create("Dikdik 2", "dikdik");
    const { results } = await invoke(world.service, searchForAssistants, actor, { query: "dikdik" });
    expect(results.map(({ title, language }) => [title, language])).toEqual([
      ["Dikdik", "de"],
      ["Dikdik 2", undefined],
    ]);
  });
});
