import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { admin, invoke, operations, type Service } from "@kb/core";
import { type TestDatabase, testDatabase } from "@kb/db/testing";
import JSZip from "jszip";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serviceOf } from "../src/access.ts";
import { type Home, makeHome } from "./process.ts";

let test: TestDatabase;
let home: Home;
let service: Service;

beforeAll(async () => {
  test = await testDatabase();
  home = await makeHome({ DATABASE_URL: test.url });
  service = serviceOf(test.database, home.settings);
  await admin.createTeam(service, { name: "Ours", adminEmail: "ada@example.com" });
});

afterAll(async () => {
  await home?.remove();
  await test?.drop();
});

type Contents = Readonly<Record<string, string | Uint8Array>>;

function folderOf(name: string, contents: Contents): string {
  for (const [path, content] of Object.entries(contents)) {
    mkdirSync(dirname(join(home.folder, name, path)), { recursive: true });
    writeFileSync(join(home.folder, name, path), content);
  }
  return join(home.folder, name);
}

async function zipped(contents: Contents): Promise<Buffer> {
  const zip = new JSZip();
  for (const [path, content] of Object.entries(contents)) zip.file(path, content);
  return zip.generateAsync({ type: "nodebuffer" });
}

/** Exports a collection, and returns the archive's file and the title and text of each document, by path. */
async function exported(collection: string) {
  const file = join(home.folder, `${collection}.zip`);
  await home.json(["export", "--collection", collection, "--out", file]);
  const zip = await JSZip.loadAsync(readFileSync(file));
  const textOf = (path: string): Promise<string> => zip.file(path)?.async("string") ?? Promise.resolve("");
  const manifest: { documents: { path: string; title: string }[] } = JSON.parse(await textOf("manifest.json"));
  const pages = await Promise.all(
    manifest.documents.map(async ({ path, title }) => ({ path, title, text: await textOf(path) })),
  );
  return { file, pages };
}

/** Returns whether the team has a collection of this name. */
async function isCollection(name: string): Promise<boolean> {
  const { id: teamId } = await admin.findTeam(service, undefined);
  return (await admin.findCollectionOrNull(service, teamId, name)) !== null;
}

const summaryOf = (stdout: string): unknown => JSON.parse(stdout);

describe("what kb import promises", { timeout: 120_000 }, () => {
  it("opens a ZIP inside a ZIP: its pages, links and files are those of the parts", async () => {
    const archive = await zipped({
      "Part-1.zip": await zipped({ "One.md": "# One\n\n[two](Two.md) ![dot](dot.gif)\n", "dot.gif": "GIF" }),
      "Part-2.zip": await zipped({ "Two.md": "# Two\n\n[one](One.md)\n" }),
    });
    const source = join(folderOf("nested", { "whole.zip": archive }), "whole.zip");
    const summary = await home.json(["import", source, "--collection", "Nested"]);
    expect(summary).toMatchObject({ imported: 2, linked: 2, attached: 1, skipped: [], report: { counts: {} } });
    const { pages } = await exported("Nested");
    expect(pages.map(({ title }) => title).sort()).toEqual(["One", "Two"]);
  });

  it.each<[string, Contents]>([
    ["without a page", { "a.bin": "x" }],
    ["whose pages are all skipped", { "page.md": Buffer.from("caf\u00e9", "latin1") }],
  ])("0 imported is exit code 1, also dry: a folder %s", async (name, contents) => {
    const collection = `Of a folder ${name}`;
    const args = ["import", folderOf(name, contents), "--collection", collection, "--json"];
    for (const more of [["--dry-run"], []]) {
      const { code, stdout } = await home.kb([...args, ...more]);
      expect({ code, summary: summaryOf(stdout) }).toMatchObject({ code: 1, summary: { imported: 0, existing: 0 } });
      expect(await isCollection(collection)).toBe(more.length === 0);
    }
  });

  it("--dry-run writes nothing: neither the documents that it counts nor their collection", async () => {
    const source = folderOf("dry", { "one.md": "# One\n\n![dot](dot.gif)\n", "dot.gif": "GIF", "two.md": "Two.\n" });
    const args = ["import", source, "--collection", "Dry"];
    expect(await home.json([...args, "--dry-run"])).toMatchObject({ dryRun: true, imported: 2 });
    expect(await isCollection("Dry")).toBe(false);
    expect(await home.json(args)).toMatchObject({ imported: 2, existing: 0 });
    const before = await exported("Dry");
    folderOf("dry", { "two.md": "Another two.\n", "three.md": "Three.\n" });
    expect(await home.json([...args, "--update", "--dry-run"])).toMatchObject({ dryRun: true });
    expect((await exported("Dry")).pages).toEqual(before.pages);
  });

  it("--text-tags takes #tags of the text as tags, but not those in code and links; without it they stay text", async () => {
    const text =
      "---\ntags: [Front]\n---\n\nOn #Setup and #two-words, not #42, `#code` or [#link](https://example.com).\n";
    const source = folderOf("tagged", { "page.md": text });
    const tagsIn = async (collection: string): Promise<readonly string[]> => {
      const { id: teamId } = await admin.findTeam(service, undefined);
      const actor = await admin.systemActor(service, teamId);
      const { id: collectionId } = (await admin.findCollectionOrNull(service, teamId, collection)) ?? { id: "" };
      const { data } = await invoke(service, operations.listDocuments, actor, { collectionId, format: "markdown" });
      return data.flatMap((document) => ("title" in document ? document.tags : []));
    };
    await home.json(["import", source, "--collection", "Tagged", "--text-tags"]);
    expect([...(await tagsIn("Tagged"))].sort()).toEqual(["front", "setup", "two-words"]);
    await home.json(["import", source, "--collection", "Untagged"]);
    expect(await tagsIn("Untagged")).toEqual(["front"]);
  });

  it("the report names the file of each picture and link that the source does not have", async () => {
    const source = folderOf("incomplete", {
      "in/page.md": "![a](gone.png) ![[gone.svg]] [b](gone.md)\n",
      "other.md": "![a](in/gone.png)\n\n![a](in/gone.png)\n",
    });
    const { report } = await home.json(["import", source, "--collection", "Incomplete", "--dry-run"]);
    expect(report).toMatchObject({ counts: { unresolved_picture: 4, unresolved_link: 1 }, omitted: 0 });
    const { findings } = JSON.parse(JSON.stringify(report)) as { findings: { path: string; detail: string }[] };
    findings.sort((a, b) => `${a.path} ${a.detail}`.localeCompare(`${b.path} ${b.detail}`, "en"));
    expect(findings).toEqual([
      { path: "in/page.md", kind: "unresolved_picture", detail: "![[gone.svg]]", count: 1 },
      { path: "in/page.md", kind: "unresolved_link", detail: "gone.md", count: 1 },
      { path: "in/page.md", kind: "unresolved_picture", detail: "gone.png", count: 1 },
      { path: "other.md", kind: "unresolved_picture", detail: "in/gone.png", count: 2 },
    ]);
  });

  it("0 imported is exit code 0 if the pages exist already", async () => {
    const args = ["import", folderOf("existing", { "page.md": "Text.\n" }), "--collection", "Existing"];
    expect(await home.json(args)).toMatchObject({ imported: 1 });
    expect(await home.json(args)).toMatchObject({ imported: 0, existing: 1 });
  });

  it("titles are trimmed on write, so that export → import is equal", async () => {
    const actor = await admin.systemActor(service, (await admin.findTeam(service, undefined)).id);
    const { id: collectionId } = await invoke(service, operations.createCollection, actor, { name: "Spaced" });
    const make = (title: string) =>
      invoke(service, operations.createDocument, actor, { collectionId, publish: true, title, text: "Text.\n" });
    await make(" \tBefore and after\u00a0\n");
    await make("\u3000全角の題\u3000");
    const renamed = await make("Other");
    await invoke(service, operations.updateDocument, actor, { id: renamed.id, title: "\u2003Renamed " });

    const first = await exported("Spaced");
    expect(first.pages.map(({ title }) => title).sort()).toEqual(["Before and after", "Renamed", "全角の題"]);
    expect(await home.json(["import", first.file, "--collection", "Again"])).toMatchObject({ imported: 3, notes: [] });
    expect((await exported("Again")).pages).toEqual(first.pages);
    expect(await home.json(["import", first.file, "--collection", "Spaced"])).toMatchObject({
      imported: 0,
      existing: 3,
    });
  });

  it("titles of files are trimmed, too: a second import finds their documents", async () => {
    const source = folderOf("titles", {
      "quoted.md": '---\ntitle: "  In front matter\u00a0"\n---\n\nText.\n',
      "heading.md": "#   &nbsp;In a heading&nbsp;  \n\nText.\n",
      " name .md": "Text.\n",
    });
    expect(await home.json(["import", source, "--collection", "Titles"])).toMatchObject({ imported: 3 });
    const { pages } = await exported("Titles");
    expect(pages.map(({ title }) => title).sort()).toEqual(["In a heading", "In front matter", "name"]);
    expect(await home.json(["import", source, "--collection", "Titles"])).toMatchObject({ imported: 0, existing: 3 });
  });
});
