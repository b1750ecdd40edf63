import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import JSZip from "jszip";
import { parseMarkdown, toHtml } from "markdown-codec";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withUnpacked } from "../src/archive/unpack.ts";
import { parseCsv } from "../src/csv/parse.ts";
import { explain, skippedFor } from "../src/explain.ts";
import { readHtmlPage } from "../src/html/page.ts";
import { importJob } from "../src/import-job.ts";
import { dryStore } from "../src/store.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "kb-hostile-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const bounds = { bytes: 1024 ** 3, files: 10_000, advice: "Raise the limit." };
const { signal } = new AbortController();

type Contents = Readonly<Record<string, string | Uint8Array>>;

async function zipped(contents: Contents, compression: "STORE" | "DEFLATE" = "STORE"): Promise<Buffer> {
  const zip = new JSZip();
  for (const [path, content] of Object.entries(contents)) zip.file(path, content, { createFolders: false });
  return zip.generateAsync({ type: "nodebuffer", compression });
}

function written(name: string, bytes: Uint8Array): string {
  const file = join(folder, name);
  writeFileSync(file, bytes);
  return file;
}

/** Unpacks an archive, and lists what came out of it. */
const unpack = (file: string, limits = bounds) =>
  withUnpacked(file, limits, signal, async (unpacked, { skipped, notes }) => ({
    paths: readdirSync(unpacked, { recursive: true, encoding: "utf8" }).sort(),
    skipped,
    notes,
  }));

/** Reads a folder as an import would, and writes nothing. */
async function dryRun(source: string) {
  const temporary = mkdtempSync(join(folder, "converted-"));
  const job = await importJob({ folder: source, isArchive: false, temporary, unpacked: { skipped: [], notes: [] } });
  return (await job.run(dryStore, { update: false, textTags: false, signal })).result;
}

function folderOf(name: string, contents: Contents): string {
  for (const [path, content] of Object.entries(contents)) {
    mkdirSync(dirname(join(folder, name, path)), { recursive: true });
    writeFileSync(join(folder, name, path), content);
  }
  return join(folder, name);
}

describe("hostile archives", { timeout: 120_000 }, () => {
  it("entries that lead out of the archive are unpacked inside it, with a remark", async () => {
    const contents = {
      "../../up.md": "a",
      "/root.md": "b",
      "C:/drive.md": "c",
      "ok/../../x.md": "d",
      "back\\slash.md": "e",
    };
    const { paths, notes, skipped } = await unpack(written("traversal.zip", await zipped(contents)));
    expect(paths).toEqual(["back", "back/slash.md", "drive.md", "ok", "ok/x.md", "root.md", "up.md"]);
    expect(skipped).toEqual([]);
    expect(notes).toHaveLength(4);
    expect(notes[0]?.message).toMatch(/leads out of the archive: \.\.\/\.\.\/up\.md$/);
    expect(existsSync(join(tmpdir(), "..", "up.md"))).toBe(false);
  });

  it("symbolic links in an archive are skipped", async () => {
    const zip = new JSZip();
    zip.file("link.md", "/etc/hostname", { unixPermissions: 0o120777 });
    zip.file("page.md", "text");
    const file = written("links.zip", await zip.generateAsync({ type: "nodebuffer", platform: "UNIX" }));
    const { paths, skipped } = await unpack(file);
    expect(paths).toEqual(["page.md"]);
    expect(skipped).toEqual([skippedFor("link.md", "symbolic_link", explain("link", {}))]);
    expect(skipped).toMatchObject([{ reason: "a symbolic link" }]);
  });

  it("names that differ only in case or Unicode form are all kept, and a name that occurs twice once", async () => {
    const contents = {
      "Page.md": "1",
      "page.md": "2",
      "caf\u00e9.md": "3",
      "cafe\u0301.md": "4",
      "twice.md": "5",
      "twicf.md": "6",
    };
    const bytes = await zipped(contents);
    // The last file takes the name of the one before it, in its header and in the directory.
    const twice = Buffer.from(bytes.toString("latin1").replaceAll("twicf.md", "twice.md"), "latin1");
    await withUnpacked(written("names.zip", twice), bounds, signal, async (unpacked, { skipped }) => {
      expect(skipped).toMatchObject([{ path: "twice.md", code: "same_name" }]);
      const result = await dryRun(unpacked);
      expect(result).toMatchObject({ imported: 5, skipped: [] });
    });
  });

  it("an archive of zeros is rejected by its ratio, its size and its number of files, whatever its headers say", async () => {
    const zeros = await zipped({ "a.md": Buffer.alloc(80 * 1024 * 1024) }, "DEFLATE");
    const bomb = written("bomb.zip", zeros);
    await expect(unpack(bomb)).rejects.toMatchObject({
      code: "payload_too_large",
      message: expect.stringMatching(/200 times/),
    });
    const small = { ...bounds, bytes: 1024 };
    await expect(unpack(bomb, small)).rejects.toMatchObject({ message: expect.stringMatching(/Raise the limit/) });
    const many = written("many.zip", await zipped({ "a.md": "", "b.md": "", "c.md": "" }));
    await expect(unpack(many, { ...bounds, files: 2 })).rejects.toMatchObject({
      message: expect.stringMatching(/more than 2 files/),
    });
    const nested = written("nested-bomb.zip", await zipped({ "inner.zip": zeros }));
    await expect(unpack(nested)).rejects.toMatchObject({ code: "payload_too_large" });
  });

  it("an archive that holds only archives is opened with them, at most three levels deep; others stay files", async () => {
    const part = await zipped({ "Page.md": "# Page" });
    const two = await zipped({ "Part-1.zip": part, "Part-2.zip": await zipped({ "Other.md": "x", "data.zip": part }) });
    expect((await unpack(written("two.zip", two))).paths).toEqual(["Other.md", "Page.md", "data.zip"]);
    const three = await zipped({ "a.zip": await zipped({ "b.zip": part }) });
    expect((await unpack(written("three.zip", three))).paths).toEqual(["Page.md"]);
    const deep = await unpack(written("deep.zip", await zipped({ "c.zip": three })));
    expect(deep.skipped).toMatchObject([{ path: "b.zip", code: "nested_archive" }]);
    const damaged = await unpack(written("damaged.zip", await zipped({ "a.zip": "no archive" })));
    expect(damaged.skipped).toMatchObject([{ path: "a.zip", reason: "it is not a ZIP archive" }]);
  });

  it("an archive of folders is rejected by their number, and what is too deep in them is skipped", async () => {
    const wide = await zipped(Object.fromEntries(Array.from({ length: 3 }, (_, n) => [`${n}/${n}/a.md`, ""])));
    await expect(unpack(written("wide.zip", wide), { ...bounds, files: 5 })).rejects.toMatchObject({
      code: "payload_too_large",
      message: expect.stringMatching(/more than 5 folders/),
    });
    const deep = await zipped({ [`${"d/".repeat(101)}a.md`]: "x", [`${"d/".repeat(99)}b.md`]: "x" });
    const { paths, skipped } = await unpack(written("deep-folders.zip", deep));
    expect(skipped).toMatchObject([{ code: "unsafe_name", reason: "it is more than 100 folders deep" }]);
    expect(paths.filter((path) => path.endsWith(".md"))).toHaveLength(1);
  });

  it("a name that is too long for the file system is shortened with a remark, and links to it still work", async () => {
    const name = "長".repeat(200);
    const contents = {
      [`${name}.md`]: "# Long",
      [`${name}語.md`]: "# Other",
      [`${name}/below.md`]: "# Below",
      "index.md": `[one](<${name}.md>), [other](<${name}語.md>), [below](<${name}/below.md>)`,
    };
    await withUnpacked(
      written("long.zip", await zipped(contents)),
      bounds,
      signal,
      async (unpacked, { notes, skipped }) => {
        expect(skipped).toEqual([]);
        expect(notes.map(({ message }) => message)).toEqual(
          Array(3).fill("unpacked under a shorter name, because file systems take at most 255 bytes"),
        );
        const { imported, report } = await dryRun(unpacked);
        expect([imported, report.findings]).toEqual([4, []]);
      },
    );
  });

  it("a damaged entry is skipped, and an archive that is none is rejected in one sentence", async () => {
    const bytes = await zipped({ "a.md": "text ".repeat(1000), "b.md": "fine" }, "DEFLATE");
    bytes.fill(0xff, 40, 60);
    const { skipped, paths } = await unpack(written("bits.zip", bytes));
    expect(skipped).toMatchObject([{ path: "a.md", reason: "its data are damaged" }]);
    expect(paths).toContain("b.md");
    await expect(unpack(written("none.zip", Buffer.from("PK no")))).rejects.toMatchObject({ code: "usage" });
  });
});

it("an archive of entries without content is rejected by their number", async () => {
  const zip = new JSZip();
  for (let at = 0; at < 13; at += 1) zip.folder(`folder ${at}`);
  const file = written("empty-folders.zip", await zip.generateAsync({ type: "nodebuffer" }));
  expect(await unpack(file, { ...bounds, files: 7 })).toMatchObject({ skipped: [] });
  await expect(unpack(file, { ...bounds, files: 6 })).rejects.toMatchObject({
    code: "payload_too_large",
    message: expect.stringMatching(/more than 12 entries/),
  });
});

it("JSON of an export is refused beyond 64 MB, and passed over where it is nested too deeply", async () => {
  const large = folderOf("large-json", { "a.md": "text" });
  writeFileSync(join(large, "manifest.json"), Buffer.alloc(64 * 1024 * 1024 + 1, " "));
  await expect(dryRun(large)).rejects.toMatchObject({
    code: "payload_too_large",
    message: "manifest.json has more than 64 MB. Export less at once.",
  });
  const levels = 20_000;
  const tree = `${'{"id":"a","children":['.repeat(levels)}${"]}".repeat(levels)}`;
  const deep = folderOf("deep-json", {
    "metadata.json": '{"exportVersion":1}',
    "deep.json": `{"collection":{"name":"x","documentStructure":[${tree}]},"documents":{}}`,
    "manifest.json": "[".repeat(1_000_000),
    "a.md": "text",
  });
  expect(await dryRun(deep)).toMatchObject({ imported: 1 });
});

it("what is not readable is told in words of our own, without a folder of this machine", async () => {
  const source = folderOf("unreadable", { "a.md": "text" });
  symlinkSync("circle.md", join(source, "circle.md"));
  const result = await dryRun(source);
  expect(result.skipped).toEqual([
    {
      path: "circle.md",
      code: "unreadable",
      reason: "not readable: its links lead in a circle",
      explanation: { code: "unreadable", values: { cause: "circle" } },
    },
  ]);
});

describe("hostile sources", { timeout: 120_000 }, () => {
  it("circles of links, pages that show each other and circles of folders come to an end", async () => {
    const source = folderOf("circles", {
      "a.md": "![[b]] [[c]]",
      "b.md": "![[a]] [x](a.md)",
      "c/index.md": "[[index]] [[c]]",
    });
    symlinkSync("..", join(source, "c", "up"));
    const result = await dryRun(source);
    expect(result).toMatchObject({ imported: 3, report: { counts: { embedded_page: 2 } } });
    expect(result.skipped).toMatchObject([{ path: "c/up", code: "symbolic_link" }]);
  });

  it("Confluence pages whose parents form a circle come to the top", async () => {
    const page = (title: string, parent: string): string =>
      `<html><head><title>S : ${title}</title></head><body><ol id="breadcrumbs"><li><a href="${parent}">p</a></li></ol><div id="main-content" class="wiki-content">x</div></body></html>`;
    const source = folderOf("circle", {
      "a.html": page("A", "b.html"),
      "b.html": page("B", "a.html"),
      "c.html": page("C", "c.html"),
    });
    expect(await dryRun(source)).toMatchObject({ imported: 3, skipped: [] });
  });

  it("a CSV of 100 MB, an HTML page of 20 MB and a page of Markdown over the limit are skipped with the reason", async () => {
    const id = "0123456789abcdef0123456789abcdef";
    const large = folderOf("large", {
      [`Page ${id}.md`]: "# Page",
      [`Table ${id}.csv`]: Buffer.alloc(100 * 1024 * 1024, "a,b\n"),
    });
    const table = await dryRun(large);
    expect(table).toMatchObject({ imported: 1 });
    expect(table.skipped).toMatchObject([{ path: `Table ${id}.csv`, code: "payload_too_large" }]);
    const pages = folderOf("pages", { "a.html": "<p>a</p>", "b.html": Buffer.alloc(20 * 1024 * 1024, "<p>x</p>") });
    expect((await dryRun(pages)).skipped).toMatchObject([{ path: "b.html", code: "payload_too_large" }]);
  });

  it("HTML of 10 MB is read if its text fits, and in a time that grows with its length", () => {
    const paragraph = `<p class="${"x".repeat(980)}">word</p>`;
    const { markdown } = readHtmlPage(paragraph.repeat(10_000), () => {});
    expect(markdown.match(/word/g)).toHaveLength(10_000);
  });

  it.each([
    ["unclosed blocks", "<div>".repeat(1_000_000), /nested more than 512 levels/],
    ["unclosed formats", `${"<b>".repeat(600)}${"<p>x".repeat(1000)}`, /nested more than 512 levels/],
    [
      "formats that every paragraph opens again",
      `<p>${Array.from({ length: 400 }, (_, n) => `<b id=${n}>`).join("")}</p>${"<p>x</p>".repeat(100_000)}`,
      /more than 500,000 elements/,
    ],
    ["elements", "<i></i>".repeat(600_000), /more than 500,000 elements/],
  ])("HTML that would take too long is refused: %s", (_, html, reason) => {
    expect(() => readHtmlPage(html, () => {})).toThrow(reason);
  });

  it("no HTML of a page comes through: all of it is text, and unsafe addresses are left out", () => {
    const html = `<body><script>alert(1)</script><p onclick="x()">&lt;img src=x onerror=alert(1)&gt; **not bold** [x](javascript:1)</p>
      <a href="javascript:alert(1)">a</a><img src="data:image/png;base64,AAAA"><img src="javascript:1"><svg onload="x"><p>s</p></svg>
      <iframe src="https://example.com/v"></iframe><form><input value="1"></form><pre>&lt;/pre>&lt;script&gt;</pre></body>`;
    const left: string[] = [];
    const { markdown } = readHtmlPage(html, (what) => left.push(what));
    const shown = toHtml(parseMarkdown(markdown));
    expect(shown).not.toMatch(/<script|<img|<svg|<iframe|onclick=|href="javascript|<form/i);
    expect(shown).toContain("&lt;img src=x onerror=alert(1)&gt; **not bold** [x](javascript:1)");
    expect(shown).toContain('<a href="https://example.com/v">');
    expect(left).toEqual(expect.arrayContaining(["<form>", '<img src="data:image/png;base64,AAAA">']));
  });

  it("CSV with quotes, line feeds and quotes that nothing closes is read in a time that grows with its length", () => {
    const rows = (text: string) => parseCsv(text, 1_000_000).rows;
    expect(rows('\ufeffa,"b ""c""\nd",\r\n,,\r\ne')).toEqual([["a", 'b "c"\nd', ""], ["e"]]);
    expect(rows('a,"b\nc')).toEqual([["a", '"b'], ["c"]]);
    expect(rows('"x'.concat(',"y'.repeat(200_000)))[0]?.length).toBeGreaterThan(100_000);
    expect(parseCsv("a,b\n".repeat(100), 10)).toMatchObject({ omitted: 95 });
  });

  it("a source without a page is nothing", async () => {
    const empty = folderOf("empty", { "a.bin": "x" });
    expect(await dryRun(empty)).toMatchObject({ imported: 0, others: { ".bin": 1 } });
    expect(readFileSync(join(empty, "a.bin"), "utf8")).toBe("x");
  });
});
