import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { Findings } from "../report.ts";
import { convertOutline } from "./convert.ts";
import type { TreeNode } from "./export.ts";

const root = mkdtempSync(join(tmpdir(), "kb-outline-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

type Page = { readonly id: string; readonly urlId?: string; readonly title: string };

/** Converts an export of these pages into a folder of its own. Returns the paths of the pages, and the files that were written. */
async function convert(name: string, pages: readonly Page[], tree: readonly TreeNode[] = []) {
  const folder = join(root, name, "below", "converted");
  mkdirSync(folder, { recursive: true });
  const source = join(root, name, "collection.json");
  const documents = Object.fromEntries(pages.map((page) => [page.id, { ...page, data: { type: "doc", content: [] } }]));
  writeFileSync(source, JSON.stringify({ collection: { name, documentStructure: tree }, documents }));
  const files = await convertOutline(new Map([["collection.json", source]]), folder, {
    findings: new Findings(),
    order: { titles: new Map(), formerTitles: new Map() },
  });
  const written = readdirSync(join(root, name), { recursive: true, encoding: "utf8" }).filter((path) =>
    path.endsWith(".md"),
  );
  return { files, written };
}

it("an id of an Outline export that is a path leads to no other folder, and no two pages to one file", async () => {
  const up = "x/../../../../escaped";
  const pages = [
    { id: "1", urlId: up, title: "Up" },
    { id: up, title: "Up" },
    { id: "2", urlId: `/${up}`, title: "/etc/Up" },
    { id: "3", urlId: "\0", title: ".." },
    { id: "4", urlId: "Ab3dEfGh1j", title: "Good" },
  ];
  const { files, written } = await convert("traversal", pages);
  expect(written.sort()).toEqual(pages.map((_, at) => `below/converted/outline-${at}.md`));
  for (const { path } of files) expect(path).toMatch(/^[^/\0]+ [A-Za-z0-9-]+\.md$/);
  expect(new Set(files.map(({ path }) => path)).size).toBeGreaterThan(3);
  expect(files.map(({ path }) => path)).toContain("Good Ab3dEfGh1j.md");
});

it("pages of an Outline export with long titles are read 60 levels deep", async () => {
  const pages = Array.from({ length: 60 }, (_, at) => ({ id: `page-${at}`, title: "長".repeat(200) }));
  const tree = pages.reduceRight<TreeNode[]>((children, { id }) => [{ id, children }], []);
  const { files } = await convert("deep", pages, tree);
  expect(files).toHaveLength(60);
  expect(files.at(-1)?.path.split("/")).toHaveLength(60);
  expect(readFileSync(files.at(-1)?.absolute ?? "", "utf8")).toContain("長");
});
