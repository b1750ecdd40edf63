import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { admin, type DocumentView, invoke, operations, type Service } from "@kb/core";
import { realDocuments } from "@kb/core/testing";
import { type TestDatabase, testDatabase } from "@kb/db/testing";
import JSZip from "jszip";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serviceOf } from "../src/access.ts";
import { type Home, makeHome } from "./process.ts";

let test: TestDatabase;
let home: Home;
let service: Service;
type Actor = Awaited<ReturnType<typeof admin.systemActor>>;
let actor: Actor;

beforeAll(async () => {
  test = await testDatabase();
  home = await makeHome({ DATABASE_URL: test.url });
  service = serviceOf(test.database, home.settings);
  await admin.createTeam(service, { name: "Ours", adminEmail: "ada@example.com" });
  actor = await admin.systemActor(service, (await admin.findTeam(service, undefined)).id);
});

afterAll(async () => {
  await home?.remove();
  await test?.drop();
});

const make = (input: object): Promise<DocumentView> => invoke(service, operations.createDocument, actor, input);

/** Returns the content of an archive without ids, times and the collection's name, which always differ. */
async function contentOf(file: string): Promise<Record<string, unknown>> {
  const zip = await JSZip.loadAsync(readFileSync(file));
  const found: Record<string, unknown> = {};
  for (const { name } of Object.values(zip.files)) {
    const bytes = await zip.file(name)?.async("nodebuffer");
    if (name !== "manifest.json") found[name] = bytes?.toString(name.endsWith(".md") ? "utf8" : "base64");
    else {
      const { documents } = JSON.parse(bytes?.toString() ?? "{}");
      found[name] = documents.map(({ path, title, tags, publishedAt }: Record<string, unknown>) => ({
        path,
        title,
        tags,
        draft: publishedAt === null,
      }));
    }
  }
  return found;
}

const gif = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");

/** How many real documents make the round trip. */
const realCount = Number(process.env.KB_EXPORT_DOCUMENTS ?? 40);

describe("kb export and kb import", { timeout: 120_000 + 300 * realCount }, () => {
  it("an export is imported as an equal collection: Markdown, hierarchy, order, tags, emoji, drafts, attachments", {
    meta: { proves: ["decision.running.kb-export"] },
  }, async () => {
    const collectionId = (await invoke(service, operations.createCollection, actor, { name: "First" })).id;
    const top = await make({
      collectionId,
      publish: true,
      title: "Über: alles?",
      emoji: "📚",
      tags: ["b", "a c"],
      sortOrder: 2,
    });
    const picture = await invoke(service, operations.attachBytes, actor, { name: "dot (1).gif", bytes: gif });
    const text = `![dot](${picture.url} "A dot")\n\n[up](${top.url}#part), [save](${picture.url}), [out](https://example.com)`;
    const child = await make({ collectionId, publish: true, title: "Same", parentDocumentId: top.id, text });
    await make({ collectionId, publish: true, title: "Same", parentDocumentId: top.id, text: `[other](${child.url})` });
    await make({ collectionId, publish: true, title: "same", parentDocumentId: child.id, sortOrder: -3, text: "1.10" });
    await make({ collectionId, title: "1.10", sortOrder: 1, text: "---\n\n# Draft\n\n- [x] done {#a}" });
    await make({
      collectionId,
      publish: true,
      title: "README",
      parentDocumentId: top.id,
      sortOrder: 9,
      text: "# Other",
    });
    await make({ collectionId, publish: true, title: "manifest.json", sortOrder: 8, text: "" });

    const first = join(home.folder, "first.zip");
    const summary = await home.json(["export", "--collection", "First", "--out", first]);
    expect(summary).toMatchObject({ documents: 7, attachments: 1, format: "zip", collection: { id: collectionId } });
    const imported = await home.json(["import", first, "--collection", "Second"]);
    expect(imported).toMatchObject({ imported: 7, folders: 0, attached: 1, skipped: [], notes: [], others: {} });
    await home.json(["export", "--collection", "Second", "--out", join(home.folder, "second.zip")]);
    expect(await contentOf(join(home.folder, "second.zip"))).toEqual(await contentOf(first));

    const again = await home.json(["import", first, "--collection", "Second"]);
    expect(again).toMatchObject({ imported: 0, existing: 7, attached: 0 });
    const updated = await home.json(["import", first, "--collection", "Second", "--update"]);
    expect(updated).toMatchObject({ imported: 0, updated: 0, unchanged: 7, attached: 1 });
  });

  it("real documents are imported unchanged, with or without front matter", async () => {
    const folder = join(home.folder, "real");
    const { name: source, documents: all } = realDocuments();
    // An import makes a link of `[[Title]]` once a file has that name, so a text with one may change.
    const stable = all.filter(({ markdown }) => !markdown.includes("[["));
    const documents = stable.filter((_, index) => index % Math.ceil(stable.length / realCount) === 0);
    console.log(`kb export: ${documents.length} of ${source}; KB_EXPORT_DOCUMENTS takes more of them`);
    for (const [index, { markdown }] of documents.entries()) {
      const path = join(folder, `group ${index % 7}`, `${index}.md`);
      mkdirSync(join(path, ".."), { recursive: true });
      writeFileSync(path, markdown);
    }
    await home.json(["import", folder, "--collection", "Real"]);
    const archives = ["real-1", "real-2", "real-3"].map((name) => join(home.folder, `${name}.zip`));
    const [one = "", two = "", three = ""] = archives;
    await home.json(["export", "--collection", "Real", "--out", one]);
    await home.json(["import", one, "--collection", "Real again"]);
    await home.json(["export", "--collection", "Real again", "--out", two]);
    const before = await contentOf(one);
    expect(Object.keys(before).length).toBeGreaterThan(documents.length);
    expect(await contentOf(two)).toEqual(before);
    await home.json(["export", "--collection", "Real", "--out", three, "--no-front-matter"]);
    await home.json(["import", three, "--collection", "Bare"]);
    await home.json(["export", "--collection", "Bare", "--out", two]);
    expect(await contentOf(two)).toEqual(before);
  });

  it("an export without front matter keeps a text that begins with its own", async () => {
    const archives = ["own-1", "own-2", "own-3"].map((name) => join(home.folder, `${name}.zip`));
    const [bare = "", one = "", two = ""] = archives;
    const folder = join(home.folder, "own");
    mkdirSync(folder);
    writeFileSync(
      join(folder, "page.md"),
      "---\ntitle: Page\nemoji: 🚀\ntags: [a]\n---\n---\ntitle: Mine\nlayout: wide\n---\n\nText.\n",
    );
    await home.json(["import", folder, "--collection", "Own"]);
    await home.json(["export", "--collection", "Own", "--out", bare, "--no-front-matter"]);
    expect(Object.values(await contentOf(bare))).toContain("---\ntitle: Mine\nlayout: wide\n---\n\nText.\n");
    await home.json(["import", bare, "--collection", "Own again"]);
    await home.json(["export", "--collection", "Own", "--out", one]);
    await home.json(["export", "--collection", "Own again", "--out", two]);
    expect(await contentOf(two)).toEqual(await contentOf(one));
  });

  it("what is deleted from the front matter of an export is not imported, and --update removes it", async () => {
    const collectionId = (await invoke(service, operations.createCollection, actor, { name: "Fields" })).id;
    const fields = { collectionId, emoji: "📚", tags: ["a", "b"], text: "Text." };
    await make({ ...fields, title: "Kept" });
    await make({ ...fields, title: "Changed" });
    const [file = "", changed = ""] = ["fields", "changed"].map((name) => join(home.folder, `${name}.zip`));
    await home.json(["export", "--collection", "Fields", "--out", file]);
    await home.json(["import", file, "--collection", "Fields again"]);
    const zip = await JSZip.loadAsync(readFileSync(file));
    const path = Object.keys(zip.files).find((name) => name.endsWith("Changed.md")) ?? "";
    zip.file(path, "---\ntitle: Changed\n---\n\nText.\n");
    writeFileSync(changed, await zip.generateAsync({ type: "nodebuffer" }));
    await home.json(["import", changed, "--collection", "Fields anew"]);
    const updated = await home.json(["import", changed, "--collection", "Fields again", "--update"]);
    expect(updated).toMatchObject({ updated: 1, unchanged: 1 });
    for (const name of ["Fields anew", "Fields again"]) {
      const found = await test.database.client.document.findMany({
        where: { teamId: actor.teamId, collection: { name } },
        select: {
          title: true,
          emoji: true,
          publishedAt: true,
          tags: { select: { tag: { select: { name: true } } }, orderBy: { tag: { name: "asc" } } },
        },
        orderBy: { title: "asc" },
      });
      expect(found).toMatchObject([
        { title: "Changed", emoji: null, tags: [] },
        { title: "Kept", emoji: "📚", tags: [{ tag: { name: "a" } }, { tag: { name: "b" } }], publishedAt: null },
      ]);
      expect(found[0]?.publishedAt === null).toBe(name === "Fields again");
    }
  });

  it("two concurrent imports of one folder create everything once", async () => {
    const folder = join(home.folder, "twice");
    mkdirSync(join(folder, "deep"), { recursive: true });
    for (let index = 0; index < 12; index += 1) {
      writeFileSync(join(folder, index % 2 === 0 ? "deep" : "", `${index}.md`), `# Page ${index}\n`);
    }
    const runs = await Promise.all(
      Array.from({ length: 3 }, () => home.json(["import", folder, "--collection", "Twice"])),
    );
    expect(runs.map((run) => run.imported).sort()).toEqual([0, 0, 12]);
    expect(runs.map((run) => run.existing).sort()).toEqual([0, 12, 12]);
    const found = await test.database.client.collection.findMany({ where: { teamId: actor.teamId, name: "Twice" } });
    expect(found).toHaveLength(1);
    const count = await test.database.client.document.count({
      where: { teamId: actor.teamId, collectionId: found[0]?.id ?? "" },
    });
    expect(count).toBe(13);
  });

  it("pictures beside Markdown become attachments; pictures that are too large or not referenced are reported", async () => {
    const folder = join(home.folder, "pictures");
    mkdirSync(join(folder, "img"), { recursive: true });
    writeFileSync(
      join(folder, "one.md"),
      "![a](img/dot.gif) ![b](img/dot.gif) [c](./img/chart.svg) ![d](img/large.bin)\n",
    );
    writeFileSync(join(folder, "img", "dot.gif"), gif);
    writeFileSync(join(folder, "img", "chart.svg"), "<svg xmlns='http://www.w3.org/2000/svg'/>");
    writeFileSync(join(folder, "img", "large.bin"), Buffer.alloc(2_000));
    writeFileSync(join(folder, "img", "unused.png"), "x");
    const summary = await home.json(["import", folder, "--collection", "Pictures"], { ATTACHMENT_MAX_BYTES: "1000" });
    expect(summary).toMatchObject({ imported: 1, attached: 2, linked: 1, others: { ".png": 1, ".bin": 1 } });
    const explanation = { code: "file_too_large", values: { limit: 1_000 } };
    expect(summary.notes).toEqual([
      { path: "img/large.bin", message: "not attached: has more than 1,000 bytes", explanation },
    ]);
    const attachments = await test.database.client.attachment.findMany({
      where: { teamId: actor.teamId, name: { in: ["dot.gif", "chart.svg"] } },
    });
    expect(attachments.map(({ name, contentType, status }) => [name, contentType, status]).sort()).toEqual([
      ["chart.svg", "image/svg+xml", "ready"],
      ["dot.gif", "image/gif", "ready"],
    ]);
  });

  it("invalid names in a foreign archive are skipped or shortened, and no file is written outside the folder", async () => {
    const zip = new JSZip();
    const long = `${"n".repeat(300)}.md`;
    for (const name of ["first", "first/below.md", long, "../../evil.md", "good.md"])
      zip.file(name, `# Page ${name.slice(0, 9)}`);
    const file = join(home.folder, "odd.zip");
    writeFileSync(file, await zip.generateAsync({ type: "nodebuffer" }));
    const summary = await home.json(["import", file, "--collection", "Odd"]);
    const reason = "its name is not possible on this machine";
    const explanation = { code: "impossible_name", values: {} };
    expect(summary.skipped).toContainEqual({ path: "first/below.md", code: "unreadable", reason, explanation });
    expect(summary).toMatchObject({ imported: 3 });
    expect(existsSync(join(home.folder, "..", "..", "evil.md"))).toBe(false);
  });

  it("an archive that unpacks to more than the limit is rejected before the import, and leaves no files behind", {
    meta: { proves: ["decision.running.import-bounds"] },
  }, async () => {
    const zip = new JSZip();
    zip.file("small.md", "# Small\n");
    for (const name of ["one.bin", "two.bin", "three.bin"]) zip.file(name, Buffer.alloc(2 * 1024 * 1024));
    const file = join(home.folder, "bomb.zip");
    writeFileSync(file, await zip.generateAsync({ type: "nodebuffer", compression: "DEFLATE" }));
    expect(readFileSync(file).byteLength).toBeLessThan(20_000);
    const temporary = join(home.folder, "tmp");
    mkdirSync(temporary);
    const env = { TMPDIR: temporary };
    const refused = await home.refusal(["import", file, "--collection", "Bomb", "--max-unpacked", "0.005"], env);
    expect(refused).toEqual({
      code: "payload_too_large",
      error: `${file} unpacks to more than 5.1 MB. Raise the limit with --max-unpacked.`,
    });
    expect(readdirSync(temporary)).toEqual([]);
    const found = await test.database.client.collection.count({ where: { teamId: actor.teamId, name: "Bomb" } });
    expect(found).toBe(0);
    expect(await home.json(["import", file, "--collection", "Bomb"], env)).toMatchObject({ imported: 1 });
    expect(await home.refusal(["import", file, "--collection", "Bomb", "--max-unpacked", "much"])).toMatchObject({
      code: "usage",
    });
  });

  it("an export that fails leaves no new files, and keeps the existing ones", async () => {
    const kept = join(home.folder, "kept.zip");
    writeFileSync(kept, "before");
    const failed = await home.kb(["export", "--collection", "Nothing of this name", "--out", kept]);
    expect(failed.code).toBe(1);
    expect(readFileSync(kept, "utf8")).toBe("before");
    expect(
      (await home.kb(["export", "--collection", "First", "--out", join(home.folder, "no", "x.zip")])).stderr,
    ).toMatch(/The folder \S+ does not exist/);
    expect(readdirSync(home.folder).filter((name) => name.endsWith(".unfinished"))).toEqual([]);
    const noArchive = await home.kb(["import", kept, "--collection", "First"]);
    expect(noArchive.stderr).toMatch(/neither a folder nor a ZIP archive/);
  });

  it("pages can be exported too", async () => {
    const file = join(home.folder, "pages.zip");
    const summary = await home.json(["export", "--collection", "First", "--format", "html", "--out", file]);
    expect(summary).toMatchObject({ documents: 7, format: "html" });
    const zip = await JSZip.loadAsync(readFileSync(file));
    expect(Object.keys(zip.files)).toContain("index.html");
    expect(existsSync(file)).toBe(true);
  });
});
