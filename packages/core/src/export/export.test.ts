import { callerOf, hostileTitles, outcomeOf, type TestCaller, unknownId } from "@kb/core/testing";
import { describe, expect, it } from "vitest";
import * as operations from "../operations.ts";
import type { DocumentView } from "../schema/document.ts";
import { testWorld } from "../testing/test-world.ts";

const { test, world } = await testWorld();
const admin = callerOf(world, world.people.admin);

const createCollection = async (name: string): Promise<string> => (await admin.createCollection({ name })).id;
const create = (collectionId: string, input: object): Promise<DocumentView> =>
  admin.create({ collectionId, publish: true, ...input });

/** An export whose files were all read, in their order. */
type ReadExport = {
  readonly name: string;
  readonly paths: readonly string[];
  bytesOf(path: string): Buffer;
  textOf(path: string): string;
};

async function readExport(by: TestCaller, id: string, options: object = {}): Promise<ReadExport> {
  const { name, files } = await by.run(operations.exportCollection, { id, ...options });
  const contents = new Map<string, Buffer>();
  for (const file of files) {
    const stream = await file.open();
    if (stream === null) throw new Error(`${file.path} is gone`);
    const parts: Uint8Array[] = [];
    for await (const part of stream) parts.push(part);
    contents.set(file.path, Buffer.concat(parts));
  }
  const bytesOf = (path: string): Buffer => {
    const bytes = contents.get(path);
    if (bytes === undefined) throw new Error(`no ${path} among ${[...contents.keys()].join(", ")}`);
    return bytes;
  };
  return { name, paths: [...contents.keys()], bytesOf, textOf: (path) => bytesOf(path).toString() };
}

describe("an export", () => {
  it("holds Markdown files by hierarchy, with front matter and a manifest", {
    meta: { proves: ["decision.export.front-matter", "decision.export.manifest", "decision.export.hierarchy"] },
  }, async () => {
    const id = await createCollection("Handbook");
    const parent = await create(id, { title: "Guide: “all”", text: "# One\n\nText.", tags: ["b", "a"], emoji: "📚" });
    const child = await create(id, { title: "Child", parentDocumentId: parent.id, text: "Below." });
    const draft = await create(id, { title: "Draft", publish: false, text: "Not yet.", sortOrder: 5 });
    const { name, paths, textOf } = await readExport(admin, id);
    const documents = ["Guide- “all”.md", "Guide- “all”/Child.md", "Draft.md"];
    expect({ name, paths }).toEqual({ name: "Handbook", paths: [...documents, "manifest.json"] });
    expect(textOf("Guide- “all”.md")).toBe(
      '---\ntitle: "Guide: “all”"\nemoji: 📚\ntags:\n  - a\n  - b\n---\n\n# One\n\nText.\n',
    );
    expect(textOf("Draft.md")).toBe("---\ntitle: Draft\ndraft: true\n---\n\nNot yet.\n");
    const manifest = JSON.parse(textOf("manifest.json"));
    expect(manifest).toMatchObject({ version: 1, collection: { id, name: "Handbook" } });
    expect(Date.parse(manifest.exportedAt)).toBeGreaterThan(0);
    expect(manifest.documents).toEqual(
      [parent, child, draft].map((document, index) => ({
        id: document.id,
        path: documents[index],
        title: document.title,
        revision: document.revision,
        tags: document.tags,
        ...(document.emoji === null ? {} : { emoji: document.emoji }),
        parentDocumentId: document.parentDocumentId,
        publishedAt: document.publishedAt,
        updatedAt: document.updatedAt,
      })),
    );
    const bare = await readExport(admin, id, { frontMatter: false });
    expect(bare.textOf("Guide- “all”.md")).toBe("# One\n\nText.\n");
  });

  it("has relative links between its documents in both formats, and leaves other links as they are", {
    meta: { proves: ["decision.export.links"] },
  }, async () => {
    const id = await createCollection("Links");
    const target = await create(id, { title: "Target (1)", text: "## Part {#part}" });
    const above = await create(id, { title: "Above" });
    const elsewhere = world.documents.guide;
    const links = [
      `[absolute](${target.url}#part)`,
      `[path](/documents/${target.id})`,
      `[other collection](${elsewhere.url})`,
      `[unknown](http://localhost:3000/documents/${unknownId})`,
      `[foreign](https://example.com/documents/${target.id})`,
      `\`[code](${target.url})\``,
    ];
    await create(id, { title: "Below", parentDocumentId: above.id, text: links.join("\n\n") });
    const markdown = (await readExport(admin, id)).textOf("Above/Below.md");
    const shown = markdown.split("\n\n").slice(1);
    expect(shown.map((line) => line.trim())).toEqual([
      "[absolute](../Target%20%281%29.md#part)",
      "[path](../Target%20%281%29.md)",
      ...links.slice(2),
    ]);
    const html = (await readExport(admin, id, { format: "html" })).textOf("Above/Below.html");
    expect(html).toContain('<a href="../Target%20%281%29.html#part">absolute</a>');
    expect(html).toContain(`<a href="${elsewhere.url}">other collection</a>`);
  });

  it("holds the attachments that its documents own or mention under uploads/, byte for byte", {
    meta: { proves: ["decision.export.attachments"] },
  }, async () => {
    const id = await createCollection("Pictures");
    const attach = (name: string, bytes: Uint8Array, documentId: string | null) =>
      admin.run(operations.attachBytes, { name, bytes, documentId });
    const gif = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");
    const mentioned = await attach("dot.gif", gif, null);
    await attach("unused.gif", gif, null);
    const gone = `http://localhost:3000/files/${"x".repeat(32)}/a.png`;
    const text = `![dot](${mentioned.url})\n\n[save](${mentioned.url})\n\n![gone](${gone})`;
    const document = await create(id, { title: "Page", text });
    await attach("DOT.gif", Buffer.from("only bytes"), document.id);
    const { paths, bytesOf, textOf } = await readExport(admin, id);
    expect(paths.filter((path) => path.startsWith("uploads/"))).toEqual(["uploads/dot.gif", "uploads/DOT (2).gif"]);
    expect(bytesOf("uploads/dot.gif")).toEqual(gif);
    expect(textOf("uploads/DOT (2).gif")).toBe("only bytes");
    expect(textOf("Page.md")).toContain("![dot](uploads/dot.gif)\n\n[save](uploads/dot.gif)");
    expect(textOf("Page.md")).toContain(`/files/${"x".repeat(32)}/a.png`);
    const html = (await readExport(admin, id, { format: "html" })).textOf("Page.html");
    expect(html).toContain('<img src="uploads/dot.gif" alt="dot">');
  });

  it("holds drafts only for callers who see them, and never archived or trashed documents", {
    meta: { proves: ["decision.export.drafts"] },
  }, async () => {
    const { people, collections } = world;
    const titles = async (by: TestCaller): Promise<string[]> => {
      const { documents } = JSON.parse((await readExport(by, collections.open)).textOf("manifest.json"));
      return documents.map(({ title }: { title: string }) => title).sort();
    };
    expect(await titles(callerOf(world, people.editor))).toEqual(["Child", "Draft of the member", "Guide"]);
    expect(await titles(callerOf(world, people.viewer))).toEqual(["Child", "Guide"]);
  });

  it("never names a restricted tag", { meta: { proves: ["decision.export.restricted-tags"] } }, async () => {
    const { paths, textOf } = await readExport(admin, world.collections.open);
    for (const path of paths) expect(textOf(path)).not.toContain("hidden");
    expect(textOf("Guide.md")).toContain("tags:\n  - guide\n");
  });

  it("in HTML has a page for each document and an index of the tree, without script", {
    meta: { proves: ["decision.export.html"] },
  }, async () => {
    const id = await createCollection("Pages & <more>");
    const text = "- [x] done\n- [ ] open\n\n| a | b |\n|:--|--:|\n| 1 | 2 |";
    const parent = await create(id, { title: "A <b> & 'c'", text, emoji: "📘" });
    await create(id, { title: "Child", parentDocumentId: parent.id, text: "<script>alert(1)</script>" });
    await create(id, { title: "Last", sortOrder: 9 });
    const { paths, textOf } = await readExport(admin, id, { format: "html" });
    const documents = ["A -b- & 'c'.html", "A -b- & 'c'/Child.html", "Last.html"];
    expect(paths).toEqual(["index.html", ...documents, "manifest.json"]);
    const index = textOf("index.html");
    expect(index).toContain('<h1 dir="auto">Pages &amp; &lt;more&gt;</h1>');
    expect(index.replaceAll(/\s*\n/g, "")).toContain(
      '<ul class="index"><li><a href="A%20-b-%20%26%20%27c%27.html" dir="auto">📘 A &lt;b&gt; &amp; &#39;c&#39;</a>' +
        '<ul class="index"><li><a href="A%20-b-%20%26%20%27c%27/Child.html" dir="auto">Child</a></li></ul></li>' +
        '<li><a href="Last.html" dir="auto">Last</a></li></ul>',
    );
    const page = textOf("A -b- & 'c'.html");
    expect(page).toContain('<input type="checkbox" aria-label="Done" disabled checked>');
    expect(page).toContain('<td class="right">2</td>');
    const child = textOf("A -b- & 'c'/Child.html");
    expect(child).toContain(
      '<a href="../index.html">Pages &amp; &lt;more&gt;</a> › <a href="../A%20-b-%20%26%20%27c%27.html">',
    );
    expect(child).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
    for (const path of paths) expect(textOf(path)).not.toMatch(/<script|\son\w+=|<link|<iframe/i);
  });
});

describe("the access to an export", () => {
  it("needs the read scope, the key's entries, access to the collection and the capability", {
    meta: {
      proves: ["auth.export.checks", "auth.scope.read-export", "errors.scope.export", "errors.export-permission"],
    },
  }, async () => {
    const { people, collections, documents, teamId } = world;
    const attempt = (key: string, id: string) =>
      outcomeOf(callerOf(world, key).run(operations.exportCollection, { id }));
    expect(await attempt(await world.key(people.editor, ["read"]), collections.open)).toBe("done");
    expect(await attempt(await world.key(people.editor, ["write"]), collections.open)).toBe("insufficient_scope");
    const restrictions = { collections: { [collections.readable]: "read" } } as const;
    const restricted = await world.key(people.editor, ["read"], { restrictions });
    expect(await attempt(restricted, collections.readable)).toBe("done");
    expect(await attempt(restricted, collections.open)).toBe("not_found");
    const oneDocument = { documents: { [documents.guide.id]: "read" } } as const;
    const narrow = await world.key(people.editor, ["read"], { restrictions: oneDocument });
    expect(await attempt(narrow, collections.open)).toBe("not_found");
    expect(await attempt(people.editor.key, collections.vault)).toBe("not_found");
    expect(await attempt(people.outsider.key, collections.open)).toBe("not_found");
    expect(await attempt(people.editor.key, unknownId)).toBe("not_found");
    const viewers = { where: { teamId, builtIn: "viewers" } } as const;
    const { client } = test.database;
    await client.group.updateMany({ ...viewers, data: { capabilities: ["document.read"] } });
    expect(await attempt(people.viewer.key, collections.open)).toBe("forbidden");
    await client.group.updateMany({ ...viewers, data: { capabilities: ["document.read", "export"] } });
  });
});

describe("the paths of an export", () => {
  it("keep hostile titles inside and apart on every file system", {
    meta: { proves: ["decision.export.names"] },
  }, async () => {
    const id = await createCollection("../../Hostile");
    const made: DocumentView[] = [];
    for (const title of hostileTitles) made.push(await create(id, { title, text: title }));
    for (const parent of made.slice(0, 30)) await create(id, { title: "below", parentDocumentId: parent.id });
    const { name, paths } = await readExport(admin, id);
    expect(name).toBe("-..-Hostile");
    expect(paths).toHaveLength(made.length + 30 + 1);
    const folders = paths.flatMap((path) =>
      path.split("/").flatMap((_, index, parts) => (index === 0 ? [] : [parts.slice(0, index).join("/")])),
    );
    const all = [...new Set([...paths, ...folders])];
    // On a file system that ignores case and the forms of a letter.
    expect(new Set(all.map((path) => path.normalize("NFKC").toLowerCase())).size).toBe(all.length);
    for (const part of paths.flatMap((path) => path.split("/"))) {
      expect(part).toMatch(/^[^<>:"\\|?*\p{Cc}\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]+$/u);
      expect(part).not.toMatch(/^\.|[. ]$|^(?:con|prn|aux|nul|com\d|lpt[\d¹²³])(?:\.|$)/i);
      expect(Buffer.byteLength(part)).toBeLessThanOrEqual(255);
    }
  });

  it("stay within the length that file systems accept, however deep the tree is", async () => {
    const id = await createCollection("Deep");
    let parentDocumentId: string | null = null;
    for (let depth = 0; depth < 60; depth += 1) {
      const title = `${depth} ${"long ".repeat(40)}`;
      const document: DocumentView = await create(id, { title, parentDocumentId });
      parentDocumentId = document.id;
    }
    const { paths } = await readExport(admin, id);
    expect(paths).toHaveLength(61);
    expect(Math.max(...paths.map((path) => Buffer.byteLength(path)))).toBeLessThan(3_000);
  });
});
