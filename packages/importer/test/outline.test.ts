import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { importJob } from "../src/import-job.ts";
import { dryStore } from "../src/store.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "kb-outline-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Node = { readonly id: string; readonly children?: readonly Node[] };

const collectionOf = (name: string, documents: readonly object[], documentStructure: readonly Node[]): string =>
  JSON.stringify({
    collection: { name, documentStructure },
    documents: Object.fromEntries(documents.map((each) => ["id" in each ? each.id : "", each])),
  });

const documentOf = (id: string, title: string, urlId?: string): object => ({
  id,
  title,
  urlId,
  data: { type: "doc", content: [{ type: "paragraph", content: [{ type: "text", text: title }] }] },
});

/**
 * Imports an export without a team, beside documents of these titles and ids, and returns the result and the titles that it would have
 * created.
 */
async function importOf(
  name: string,
  collections: Readonly<Record<string, string>>,
  known: ReadonlyMap<string, string> = new Map(),
) {
  const source = join(folder, name, "source");
  const temporary = join(folder, name, "temporary", "converted");
  for (const each of [source, temporary]) mkdirSync(each, { recursive: true });
  writeFileSync(join(source, "metadata.json"), '{"exportVersion":1}');
  for (const [file, text] of Object.entries(collections)) writeFileSync(join(source, file), text);
  const titles: string[] = [];
  const store: typeof dryStore = {
    ...dryStore,
    existing: async () => ({
      take: (_, title) => {
        const id = known.get(title);
        return id === undefined
          ? undefined
          : { id, title, parentDocumentId: null, sortOrder: 0, revision: 9, url: `/documents/${id}` };
      },
    }),
    create: async (placed, draft, content) => {
      titles.push(draft.title);
      return dryStore.create(placed, draft, content);
    },
  };
  const job = await importJob({ folder: source, isArchive: false, temporary, unpacked: { skipped: [], notes: [] } });
  const { result } = await job.run(store, { update: false, textTags: false, signal: new AbortController().signal });
  return { result, titles: titles.sort() };
}

it("an Outline export whose ids name folders writes nothing outside its own folder", async () => {
  const up = "/../../escaped";
  const { result } = await importOf("hostile", {
    "a.json": collectionOf("A", [documentOf("d1", "One", up), documentOf(`x${up}-2`, "Two")], [{ id: "d1" }]),
  });
  expect(result).toMatchObject({ imported: 2, skipped: [] });
  const reached = ["escaped.md", "escaped-2.md"].map((file) => join(folder, "hostile", "temporary", file));
  expect(reached.map((path) => existsSync(path))).toEqual([false, false]);
});

it("Outline collections with long or equal names stay apart, under their whole names", async () => {
  const long = "مجموعة طويلة ".repeat(15);
  const names = [`${long}one`, `${long}two`, "Same", "Same"];
  const files = names.map((name, index) => {
    const id = `d${index}`;
    return [`${index}.json`, collectionOf(name, [documentOf(id, `Page ${index}`)], [{ id }])] as const;
  });
  const { titles } = await importOf("names", Object.fromEntries(files));
  expect(titles).toEqual([...names, "Page 0", "Page 1", "Page 2", "Page 3"].sort());
});

it("an Outline collection that an earlier release imported under a shortened name is recognized by it", async () => {
  const names = ["A name that is longer than the sixty letters which were kept of it before", "plain", "a/b"];
  const files = names.map((name, index) => {
    const id = `d${index}`;
    return [`${index}.json`, collectionOf(name, [documentOf(id, `Page ${index}`)], [{ id }])] as const;
  });
  const before = names.map((name) => name.replace("/", "-").slice(0, 60));
  const known = new Map([...before, "Page 0", "Page 1", "Page 2"].map((title) => [title, `id of ${title}`]));
  const { result, titles } = await importOf("again", Object.fromEntries(files), known);
  expect(titles).toEqual([]);
  expect(result).toMatchObject({ imported: 0, folders: 0, existing: 3 });
});

it("Outline documents with long names and ids are imported however deep their tree is", async () => {
  const levels = 40;
  const ids = Array.from({ length: levels }, (_, index) => `${index}-${"i".repeat(300)}`);
  const tree = ids.reduceRight<readonly Node[]>((children, id) => [{ id, children }], []);
  const documents = ids.map((id) => documentOf(id, "漢".repeat(200)));
  const { result } = await importOf("deep", { "a.json": collectionOf("A", documents, tree) });
  expect(result).toMatchObject({ imported: levels, skipped: [] });
});
