import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { admin, type DocumentView, invoke, operations, type Service } from "@kb/core";
import { sql } from "@kb/db";
import { type TestDatabase, testDatabase } from "@kb/db/testing";
import { splitFrontMatter } from "@kb/importer/testing";
import { parseMarkdown, serializeMarkdown } from "markdown-codec";
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

const files: Readonly<Record<string, string | Uint8Array>> = {
  "one.md":
    "---\ntitle: Version 1.10\ntags: [Setup, setup, B c]\nemoji: 🎉\nlayout: x\ndate: 2020-01-02\nlastUpdated: 2021-02-03\n---\n\n# Another title\n\nSee [two](guides/two.md#x).\n",
  "guides/index.md":
    "# All *guides*\n\nBack to [one](../one.md), on to [nowhere](gone.md) and [out](https://example.com/a.md).\n",
  "guides/two.md": "Only text.\n",
  "guides/deep/er/three.markdown": "---\ndraft: true\nlayout: y\n---\nDeep.\n",
  "beside.md": "---\ntitle: Beside\nmodified: 2019-05-06\n---\n",
  "beside/child.md": "A child.\n",
  "no-front.md": "---\n\nA rule above.\n\n---\n",
  "broken.md": "---\ntitle: [a\n---\n\nText.\n",
  "windows.md": "\ufeff---\r\ntitle: From Windows\r\n---\r\n\r\nLine.\r\n",
  "wide.md": new Uint8Array(Buffer.from("\ufeff# Wide\n", "utf16le")),
  "latin.md": new Uint8Array(Buffer.from("caf\u00e9", "latin1")),
  "picture.md": "![x](data:image/png;base64,iVBORw0KGgo=)\n",
  "large.md": "x".repeat(1_500_001),
  "logo.png": "PNG",
  ".hidden.md": "Hidden.",
  ".hidden/inside.md": "Hidden.",
};

function sampleFolder(): string {
  const folder = join(home.folder, "notes");
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  symlinkSync(".", join(folder, "loop"));
  symlinkSync("/etc/hostname", join(folder, "outside.md"));
  symlinkSync("one.md", join(folder, "linked.md"));
  return folder;
}

async function documentsOf(collection: string): Promise<Map<string, DocumentView>> {
  const { id: teamId } = await admin.findTeam(service, undefined);
  const actor = await admin.systemActor(service, teamId);
  const collectionId = (await admin.findCollectionOrNull(service, teamId, collection))?.id;
  const found = new Map<string, DocumentView>();
  for (let offset = 0; ; offset += 100) {
    const request = { collectionId, limit: 100, offset, format: "markdown", sort: "createdAt" };
    const { data } = await invoke(service, operations.listDocuments, actor, request);
    for (const document of data) if ("title" in document) found.set(document.id, document);
    if (data.length < 100) return found;
  }
}

const byTitle = (documents: Map<string, DocumentView>, title: string): DocumentView => {
  const found = [...documents.values()].find((document) => document.title === title);
  if (found === undefined) throw new Error(`no document "${title}"`);
  return found;
};

describe("kb import", { timeout: 120_000 }, () => {
  let summary: Record<string, unknown>;
  let documents: Map<string, DocumentView>;

  beforeAll(async () => {
    summary = await home.json(["import", sampleFolder(), "--collection", "Notes"]);
    documents = await documentsOf("Notes");
  });

  it("takes the title from the front matter, else the first heading 1, else the file name, and reads tags and emoji", {
    meta: { proves: ["decision.running.kb-import"] },
  }, () => {
    const titles = [...documents.values()].map(({ title }) => title).sort();
    expect(titles).toEqual(
      ["All guides", "Beside", "From Windows", "Version 1.10", "Version 1.10", "Wide"]
        .concat("broken", "child", "deep", "er", "no-front", "three", "two")
        .sort(),
    );
    const one = byTitle(documents, "Version 1.10");
    expect(one).toMatchObject({ emoji: "🎉", tags: ["b c", "setup"], publishedAt: expect.any(String) });
    expect(one.markdownText).toMatch(/^# Another title\n\nSee /);
  });

  it("turns folders into parents: the file beside it, else its index, else an empty page", () => {
    const parentOf = (title: string): string | undefined =>
      documents.get(byTitle(documents, title).parentDocumentId ?? "")?.title;
    expect(["two", "deep", "er", "three", "child", "All guides"].map(parentOf)).toEqual([
      "All guides",
      "All guides",
      "deep",
      "er",
      "Beside",
      undefined,
    ]);
    expect(byTitle(documents, "deep").markdownText).toBe("");
  });

  it("imports a file as a draft if its front matter says so", () => {
    expect(byTitle(documents, "three").publishedAt).toBeNull();
  });

  it("takes the date of creation from the front matter, else that of the last change, and reports one that it does not use", () => {
    expect(byTitle(documents, "Version 1.10").createdAt).toBe("2020-01-02T00:00:00.000Z");
    expect(byTitle(documents, "Beside").createdAt).toBe("2019-05-06T00:00:00.000Z");
    expect(summary).toMatchObject({ unusedKeys: { lastUpdated: 2 } });
  });

  it("points links between the files at their documents, and changes no other link", () => {
    const two = byTitle(documents, "two");
    expect(byTitle(documents, "Version 1.10").markdownText).toContain(`[two](${two.url}#x)`);
    const guides = byTitle(documents, "All guides").markdownText;
    expect(guides).toContain(`[one](${home.url}/documents/`);
    expect(guides).toContain("[nowhere](gone.md) and [out](https://example.com/a.md)");
  });

  it("reports imported and skipped files with reasons, and names unused front matter", {
    meta: { proves: ["decision.running.kb-import-summary"] },
  }, () => {
    expect(summary).toMatchObject({
      imported: 11,
      folders: 2,
      unusedKeys: { layout: 3, lastUpdated: 2 },
      others: { ".png": 1 },
    });
    const skipped = JSON.parse(JSON.stringify(summary.skipped)) as { path: string; code: string; reason: string }[];
    expect(Object.fromEntries(skipped.map(({ path, code }) => [path, code]))).toEqual({
      loop: "symbolic_link",
      "outside.md": "symbolic_link",
      "latin.md": "not_text",
      "picture.md": "inline_image_rejected",
      "large.md": "payload_too_large",
    });
    expect(skipped.every(({ reason }) => reason.length > 10)).toBe(true);
    expect(JSON.stringify(summary.notes)).toContain("broken.md");
  });

  it("creates no duplicates when it is repeated; with --update it updates the documents", async () => {
    const folder = join(home.folder, "notes");
    const again = await home.json(["import", folder, "--collection", "Notes"]);
    expect(again).toMatchObject({ imported: 0, folders: 0, existing: 11 });
    writeFileSync(join(folder, "guides/two.md"), "Other text.\n");
    const updated = await home.json(["import", folder, "--collection", "Notes", "--update"]);
    expect(updated).toMatchObject({ imported: 0, updated: 1, unchanged: 10 });
    const now = await documentsOf("Notes");
    expect(now.size).toBe(documents.size);
    expect(byTitle(now, "two")).toMatchObject({ markdownText: "Other text.\n", revision: 2 });
  });

  it("stops at a used-up quota with a clear message, keeps whole documents only, and continues later", async () => {
    const folder = join(home.folder, "many");
    mkdirSync(folder, { recursive: true });
    for (let n = 0; n < 8; n += 1) {
      writeFileSync(join(folder, `page-${n}.md`), `${"x".repeat(2_000)} [file](file-${n}.txt)\n`);
      writeFileSync(join(folder, `file-${n}.txt`), `${n}`.repeat(1_000));
    }
    const args = ["import", folder, "--collection", "Many"];
    const info = await home.json(["info"]);
    const [used] = JSON.parse(JSON.stringify(info.storage)) as { documents: number; attachments: number }[];
    const limited = await home.refusal(args, { QUOTA_TEAM_DOCUMENT_BYTES: String((used?.documents ?? 0) + 9_000) });
    expect(limited).toEqual({
      code: "payload_too_large",
      error: expect.stringContaining("The import stopped: The team uses"),
    });
    expect(limited.error).toContain("QUOTA_TEAM_DOCUMENT_BYTES");
    expect(limited.error).toContain("Run the same command again to continue");
    const imported = await documentsOf("Many");
    expect(imported.size).toBeGreaterThan(0);
    expect(imported.size).toBeLessThan(8);
    for (const { markdownText } of imported.values()) expect(markdownText?.startsWith("x".repeat(2_000))).toBe(true);
    const files = { QUOTA_TEAM_ATTACHMENT_BYTES: String((used?.attachments ?? 0) + 2_500) };
    expect((await home.refusal([...args, "--update"], files)).error).toContain("bytes for attachments");
    const rest = await home.json([...args, "--update"]);
    expect(rest).toMatchObject({ skipped: [], attached: 8 });
    const whole = await documentsOf("Many");
    expect(whole.size).toBe(8);
    for (const { markdownText } of whole.values()) expect(markdownText).toMatch(/\[file\]\(http.+\/files\//);
  });

  it("stops when its lock is lost, and creates no duplicates when it is repeated", async () => {
    const folder = join(home.folder, "unlocked");
    mkdirSync(folder, { recursive: true });
    for (let n = 0; n < 400; n += 1) writeFileSync(join(folder, `page-${n}.md`), `Page ${n} of many.\n`);
    const args = ["import", folder, "--collection", "Unlocked"];
    const { id: teamId } = await admin.findTeam(service, undefined);
    const refused = home.refusal(args);
    const { document } = test.database.client;
    const written = () => document.count({ where: { teamId, collection: { name: "Unlocked" } } });
    await expect.poll(written, { timeout: 60_000, interval: 5 }).toBeGreaterThan(3);
    await test.database.acrossTeams.execute(
      sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name = 'kb lock' AND datname = current_database()`,
    );
    expect(await refused).toEqual({
      code: "unavailable",
      error: expect.stringMatching(
        /^The import stopped: its connection to PostgreSQL ended\. Run the same command again/,
      ),
    });
    const before = await written();
    expect(before).toBeLessThan(400);
    expect(await home.json(args)).toMatchObject({ imported: 400 - before, existing: before });
    expect(await written()).toBe(400);
  });

  it("prints the whole of a long answer before it ends", async () => {
    const folder = join(home.folder, "unresolved");
    mkdirSync(folder, { recursive: true });
    const links = Array.from({ length: 9_000 }, (_, n) => `[${n}](missing-${n}-${"x".repeat(100)}.md)`).join("\n\n");
    writeFileSync(join(folder, "page.md"), links);
    const answer = await home.json(["import", folder, "--collection", "None", "--dry-run"]);
    expect(answer).toMatchObject({ imported: 1, report: { counts: { unresolved_link: 9_000 } } });
    expect(JSON.stringify(answer).length).toBeGreaterThan(1_000_000);
    const { id: teamId } = await admin.findTeam(service, undefined);
    expect(await admin.findCollectionOrNull(service, teamId, "None")).toBeNull();
  });

  it("reports a missing folder in one sentence", async () => {
    const { code, stderr } = await home.kb(["import", "nowhere", "--collection", "X"]);
    expect([code, stderr]).toEqual([1, `${join(home.folder, "nowhere")} is not a folder.\n`]);
  });
});

const sample = fileURLToPath(new URL("../../../packages/markdown-codec/test/sample", import.meta.url));

describe("kb import of real documents (KB_CORPUS names another folder of them)", { timeout: 600_000 }, () => {
  it("loses and changes none: each is read back as its Markdown", async () => {
    const folder = process.env.KB_CORPUS ?? sample;
    const summary = await home.json(["import", folder, "--collection", "Real"]);
    const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".md"));
    expect(summary).toMatchObject({ imported: paths.length, skipped: [] });
    const wanted = paths.map((path) => normal(splitFrontMatter(readFileSync(join(folder, path), "utf8")).body));
    const found = [...(await documentsOf("Real")).values()].map(({ markdownText }) => markdownText ?? "");
    // Folders become pages without text.
    expect(found.filter((text) => text !== "")).toHaveLength(wanted.filter((text) => text !== "").length);
    // HTML that shows only pictures becomes pictures, so that their files are imported.
    const kept = wanted.filter((text) => !/<img\s/i.test(text));
    expect(kept.length).toBeGreaterThan(0.9 * wanted.length);
    expect(kept.filter((text) => !found.includes(text))).toEqual([]);
  });
});

const normal = (markdown: string): string => serializeMarkdown(parseMarkdown(markdown));
