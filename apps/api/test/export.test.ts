import { type DocumentView, invoke, operations } from "@kb/core";
import type { Failure, One } from "@kb/testing";
import JSZip from "jszip";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hostileTitles } from "./hostile-titles.ts";
import { openSetting, type Setting, unknownId } from "./setting.ts";

describe("export", () => {
  let setting: Setting;
  beforeAll(async () => {
    setting = await openSetting();
  });
  afterAll(() => setting.close());

  const ask = (key: string, query: string, method = "GET") =>
    setting.app.request(`http://localhost:3000/api/v1/collections.export?${query}`, {
      method,
      headers: { Authorization: `Bearer ${key}` },
    });
  const archive = async (key: string, query: string): Promise<JSZip> => {
    const response = await ask(key, query);
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toBe("application/zip");
    return JSZip.loadAsync(await response.arrayBuffer());
  };
  const textOf = async (zip: JSZip, path: string): Promise<string> => {
    const file = zip.file(path);
    if (file === null) throw new Error(`no ${path} among ${Object.keys(zip.files).join(", ")}`);
    return file.async("text");
  };
  const collection = async (name: string): Promise<string> => {
    const { admin } = setting.world.people;
    return (await setting.as(admin).post<One<{ id: string }>>("/api/v1/collections", { name })).body.data.id;
  };
  const make = async (collectionId: string, input: object): Promise<DocumentView> => {
    const json = { collectionId, publish: true, ...input };
    const { status, body } = await setting
      .as(setting.world.people.admin)
      .post<One<DocumentView>>("/api/v1/documents", json);
    expect(status, JSON.stringify(body)).toBe(201);
    return body.data;
  };
  const adminKey = () => setting.world.people.admin.key;

  it("is a ZIP archive of Markdown files by hierarchy, with front matter and a manifest [collections.export] [collections.export.format] [decision.export.front-matter] [decision.export.manifest] [decision.export.hierarchy]", async () => {
    const id = await collection("Handbook");
    const parent = await make(id, { title: "Guide: “all”", text: "# One\n\nText.", tags: ["b", "a"], emoji: "📚" });
    const child = await make(id, { title: "Child", parentDocumentId: parent.id, text: "Below." });
    const draft = await make(id, { title: "Draft", publish: false, text: "Not yet.", sortOrder: 5 });
    const zip = await archive(adminKey(), `id=${id}`);
    const paths = ["Guide- “all”.md", "Guide- “all”/Child.md", "Draft.md", "manifest.json"];
    expect(Object.keys(zip.files)).toEqual(paths);
    expect(await textOf(zip, paths[0] ?? "")).toBe(
      '---\ntitle: "Guide: “all”"\nemoji: 📚\ntags:\n  - a\n  - b\n---\n\n# One\n\nText.\n',
    );
    expect(await textOf(zip, "Draft.md")).toBe("---\ntitle: Draft\ndraft: true\n---\n\nNot yet.\n");
    const manifest = JSON.parse(await textOf(zip, "manifest.json"));
    expect(manifest).toMatchObject({ version: 1, collection: { id, name: "Handbook" } });
    expect(Date.parse(manifest.exportedAt)).toBeGreaterThan(0);
    expect(manifest.documents).toEqual(
      [parent, child, draft].map(
        ({ id: document, title, revision, tags, parentDocumentId, publishedAt, updatedAt }, index) => ({
          ...{ id: document, path: paths[index], title, revision, tags, parentDocumentId, publishedAt, updatedAt },
        }),
      ),
    );
    const entry = zip.file(paths[1] ?? "");
    expect(Math.abs((entry?.date.getTime() ?? 0) - Date.parse(child.updatedAt))).toBeLessThan(2_001);

    const bare = await archive(adminKey(), `id=${id}&format=zip&frontMatter=false`);
    expect(await textOf(bare, paths[0] ?? "")).toBe("# One\n\nText.\n");
  });

  it("links between exported documents are relative, in both formats; others stay as they are [decision.export.links]", async () => {
    const id = await collection("Links");
    const target = await make(id, { title: "Target (1)", text: "## Part {#part}" });
    const elsewhere = setting.world.documents.guide;
    const below = await make(id, { title: "Above" });
    const origin = "http://localhost:3000";
    const links = [
      `[absolute](${target.url}#part)`,
      `[path](/documents/${target.id})`,
      `[other collection](${elsewhere.url})`,
      `[unknown](${origin}/documents/${unknownId})`,
      `[foreign](https://example.com/documents/${target.id})`,
      `\`[code](${target.url})\``,
    ];
    await make(id, { title: "Below", parentDocumentId: below.id, text: links.join("\n\n") });
    const markdown = await textOf(await archive(adminKey(), `id=${id}`), "Above/Below.md");
    expect(
      markdown
        .split("\n\n")
        .slice(1)
        .map((line) => line.trim()),
    ).toEqual(["[absolute](../Target%20%281%29.md#part)", "[path](../Target%20%281%29.md)", ...links.slice(2)]);
    const html = await textOf(await archive(adminKey(), `id=${id}&format=html`), "Above/Below.html");
    expect(html).toContain('<a href="../Target%20%281%29.html#part">absolute</a>');
    expect(html).toContain(`<a href="${elsewhere.url}">other collection</a>`);
  });

  it("attachments that are owned or mentioned go along under uploads/, byte for byte [decision.export.attachments]", async () => {
    const id = await collection("Pictures");
    const { world } = setting;
    const { actor } = world.people.admin;
    const attach = (name: string, bytes: Uint8Array, documentId: string | null) =>
      invoke(world.service, operations.attachBytes, actor, { name, bytes, documentId });
    const gif = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");
    const mentioned = await attach("dot.gif", gif, null);
    const unused = await attach("unused.gif", gif, null);
    const document = await make(id, {
      title: "Page",
      text: `![dot](${mentioned.url})\n\n[save](${mentioned.url})\n\n![gone](http://localhost:3000/files/${"x".repeat(32)}/a.png)`,
    });
    const owned = await attach("DOT.gif", Buffer.from("only bytes"), document.id);
    const zip = await archive(adminKey(), `id=${id}`);
    expect(Object.keys(zip.files).filter((path) => path.startsWith("uploads/"))).toEqual([
      "uploads/dot.gif",
      "uploads/DOT (2).gif",
    ]);
    expect(await zip.file("uploads/dot.gif")?.async("nodebuffer")).toEqual(gif);
    expect(await textOf(zip, "uploads/DOT (2).gif")).toBe("only bytes");
    const markdown = await textOf(zip, "Page.md");
    expect(markdown).toContain("![dot](uploads/dot.gif)\n\n[save](uploads/dot.gif)");
    expect(markdown).toContain(`/files/${"x".repeat(32)}/a.png`);
    expect(JSON.stringify([unused.url, owned.url])).toContain("/files/");
    const page = await textOf(await archive(adminKey(), `id=${id}&format=html`), "Page.html");
    expect(page).toContain('<img src="uploads/dot.gif" alt="dot">');
  });

  it("drafts only where the caller sees them; archived and trashed ones never [decision.export.drafts]", async () => {
    const { world } = setting;
    const { open } = world.collections;
    const titles = async (key: string): Promise<string[]> => {
      const { documents } = JSON.parse(await textOf(await archive(key, `id=${open}`), "manifest.json"));
      return documents.map(({ title }: { title: string }) => title).sort();
    };
    expect(await titles(world.people.editor.key)).toEqual(["Child", "Draft of the member", "Guide"]);
    expect(await titles(world.people.viewer.key)).toEqual(["Child", "Guide"]);
  });

  it("restricted tags never are in it [decision.export.restricted-tags]", async () => {
    const { world } = setting;
    const zip = await archive(adminKey(), `id=${world.collections.open}`);
    for (const path of Object.keys(zip.files)) expect(await textOf(zip, path)).not.toContain("hidden");
    expect(await textOf(zip, "Guide.md")).toContain("tags:\n  - guide\n");
  });

  it("needs the read scope, the key's allowlist, and access to the collection [auth.export.checks] [auth.scope.read-export] [errors.scope.export] [errors.export-permission]", async () => {
    const { world, database } = setting;
    const { people, collections } = world;
    const refusal = async (key: string, id: string): Promise<[number, string]> => {
      const { status, body } = await setting.as(key).get<Failure>(`/api/v1/collections.export?id=${id}`);
      return [status, body.code];
    };
    expect((await ask(await world.key(people.editor, ["read"]), `id=${collections.open}`)).status).toBe(200);
    expect(await refusal(await world.key(people.editor, ["write"]), collections.open)).toEqual([
      403,
      "insufficient_scope",
    ]);
    const restrictions = { collections: { [collections.readable]: "read" } } as const;
    const restricted = await world.key(people.editor, ["read"], { restrictions });
    expect((await ask(restricted, `id=${collections.readable}`)).status).toBe(200);
    expect(await refusal(restricted, collections.open)).toEqual([404, "not_found"]);
    const oneDocument = { documents: { [world.documents.guide.id]: "read" } } as const;
    expect(
      await refusal(await world.key(people.editor, ["read"], { restrictions: oneDocument }), collections.open),
    ).toEqual([404, "not_found"]);
    expect(await refusal(people.editor.key, collections.vault)).toEqual([404, "not_found"]);
    expect(await refusal(people.outsider.key, collections.open)).toEqual([404, "not_found"]);
    expect(await refusal(people.editor.key, unknownId)).toEqual([404, "not_found"]);
    await database.client.group.updateMany({
      where: { teamId: world.teamId, builtIn: "viewers" },
      data: { capabilities: ["document.read"] },
    });
    expect(await refusal(people.viewer.key, collections.open)).toEqual([403, "forbidden"]);
    await database.client.group.updateMany({
      where: { teamId: world.teamId, builtIn: "viewers" },
      data: { capabilities: ["document.read", "export"] },
    });
  });

  it("what is asked wrongly is a 400 that names the parameter; HEAD makes no archive", async () => {
    const { open } = setting.world.collections;
    const editor = setting.as(setting.world.people.editor);
    for (const query of ["", "id=x", `id=${open}&format=pdf`, `id=${open}&frontMatter=maybe`, `id=${open}&depth=1`]) {
      expect((await editor.get(`/api/v1/collections.export?${query}`)).status, query).toBe(400);
    }
    const head = await ask(adminKey(), `id=${open}`, "HEAD");
    expect([head.status, head.headers.get("Content-Type"), await head.text()]).toEqual([200, "application/zip", ""]);
    expect(head.headers.get("Content-Disposition")).toBe(`attachment; filename="Open.zip"; filename*=UTF-8''Open.zip`);
  });

  it("hostile titles stay inside and apart on every file system [decision.export.names]", async () => {
    const id = await collection("../../Hostile");
    const made: DocumentView[] = [];
    for (const title of hostileTitles) made.push(await make(id, { title, text: title }));
    for (const parent of made.slice(0, 30)) await make(id, { title: "below", parentDocumentId: parent.id });
    const { headers } = await ask(adminKey(), `id=${id}`, "HEAD");
    expect(headers.get("Content-Disposition")).toBe(
      `attachment; filename="-..-Hostile.zip"; filename*=UTF-8''-..-Hostile.zip`,
    );
    const names = Object.keys((await archive(adminKey(), `id=${id}`)).files);
    expect(names).toHaveLength(made.length + 30 + 1);
    const folders = names.flatMap((name) =>
      name.split("/").flatMap((_, index, parts) => (index === 0 ? [] : [parts.slice(0, index).join("/")])),
    );
    const paths = [...new Set([...names, ...folders])];
    // On a file system that knows no case and no two forms of a letter.
    expect(new Set(paths.map((path) => path.normalize("NFKC").toLowerCase())).size).toBe(paths.length);
    for (const part of names.flatMap((name) => name.split("/"))) {
      expect(part).toMatch(/^[^<>:"\\|?*\p{Cc}\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]+$/u);
      expect(part).not.toMatch(/^\.|[. ]$|^(?:con|prn|aux|nul|com\d|lpt[\d¹²³])(?:\.|$)/i);
      expect(Buffer.byteLength(part)).toBeLessThanOrEqual(255);
    }
  });

  it("a deep tree stays within the length of paths that file systems take", async () => {
    const id = await collection("Deep");
    let parentDocumentId: string | null = null;
    for (let depth = 0; depth < 60; depth += 1) {
      parentDocumentId = (await make(id, { title: `${depth} ${"long ".repeat(40)}`, parentDocumentId })).id;
    }
    const paths = Object.keys((await archive(adminKey(), `id=${id}`)).files);
    expect(paths).toHaveLength(61);
    expect(Math.max(...paths.map((path) => Buffer.byteLength(path)))).toBeLessThan(3_000);
  });

  it("the HTML has a page for each document and an index of the tree, and no script [decision.export.html]", async () => {
    const id = await collection("Pages & <more>");
    const parent = await make(id, {
      title: "A <b> & 'c'",
      text: "- [x] done\n- [ ] open\n\n| a | b |\n|:--|--:|\n| 1 | 2 |",
      emoji: "📘",
    });
    await make(id, { title: "Child", parentDocumentId: parent.id, text: "<script>alert(1)</script>" });
    await make(id, { title: "Last", sortOrder: 9 });
    const zip = await archive(adminKey(), `id=${id}&format=html`);
    expect(Object.keys(zip.files)).toEqual([
      ...["index.html", "A -b- & 'c'.html", "A -b- & 'c'/Child.html", "Last.html", "manifest.json"],
    ]);
    const index = await textOf(zip, "index.html");
    expect(index).toContain('<h1 dir="auto">Pages &amp; &lt;more&gt;</h1>');
    expect(index.replaceAll(/\s*\n/g, "")).toContain(
      '<ul class="index"><li><a href="A%20-b-%20%26%20%27c%27.html" dir="auto">📘 A &lt;b&gt; &amp; &#39;c&#39;</a>' +
        '<ul class="index"><li><a href="A%20-b-%20%26%20%27c%27/Child.html" dir="auto">Child</a></li></ul></li>' +
        '<li><a href="Last.html" dir="auto">Last</a></li></ul>',
    );
    const page = await textOf(zip, "A -b- & 'c'.html");
    expect(page).toContain('<input type="checkbox" aria-label="Done" disabled checked>');
    expect(page).toContain('<td class="right">2</td>');
    const child = await textOf(zip, "A -b- & 'c'/Child.html");
    expect(child).toContain(
      '<a href="../index.html">Pages &amp; &lt;more&gt;</a> › <a href="../A%20-b-%20%26%20%27c%27.html">',
    );
    expect(child).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
    for (const path of Object.keys(zip.files))
      expect(await textOf(zip, path)).not.toMatch(/<script|\son\w+=|<link|<iframe/i);
  });
});
