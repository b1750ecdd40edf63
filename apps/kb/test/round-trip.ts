import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import JSZip from "jszip";
import type { Home } from "./process.ts";
import { pathOf } from "./shown-page.ts";

/** A source that was imported and exported again: the exported texts by the paths of the pages that they come from. */
export type RoundTrip = {
  readonly summary: Record<string, unknown>;
  readonly pages: ReadonlyMap<
    string,
    { readonly text: string; readonly targetOf: (address: string) => string | undefined }
  >;
};

/** Imports a source, exports the collection, and finds each page again. Targets are named by path, files by their bytes. */
export async function roundTrip(
  home: Home,
  source: string,
  collection: string,
  args: readonly string[] = [],
): Promise<RoundTrip> {
  const map = join(home.folder, `${collection}.json`);
  const summary = await home.json(["import", source, "--collection", collection, "--map", map, ...args]);
  const archive = join(home.folder, `${collection}.zip`);
  await home.json(["export", "--collection", collection, "--out", archive]);
  const zip = await JSZip.loadAsync(readFileSync(archive));
  const urls: Record<string, string> = JSON.parse(readFileSync(map, "utf8"));
  const originals = new Map(Object.entries(urls).map(([path, url]) => [url.split("/").at(-1), path]));
  const manifest = JSON.parse((await zip.file("manifest.json")?.async("string")) ?? "{}");
  const pathsById: { id: string; path: string }[] = manifest.documents;
  const exported = new Map(pathsById.map(({ id, path }) => [path, originals.get(id) ?? ""]));
  const digests = new Map<string, string>();
  for (const path of Object.keys(zip.files).filter((name) => name.startsWith("uploads/"))) {
    digests.set(path, digestOf((await zip.file(path)?.async("nodebuffer")) ?? Buffer.alloc(0)));
  }
  const pages: [string, { text: string; targetOf: (address: string) => string | undefined }][] = [];
  for (const [path, original] of exported) {
    const text = (await zip.file(path)?.async("string")) ?? "";
    const targetOf = (address: string): string | undefined => {
      const target = pathOf(address, path);
      if (target === undefined) return undefined;
      const found = exported.get(target.path) ?? digests.get(target.path);
      return found === undefined ? undefined : found + target.fragment;
    };
    pages.push([original, { text, targetOf }]);
  }
  return { summary, pages: new Map(pages) };
}

const digestOf = (bytes: Uint8Array): string => `file ${createHash("sha256").update(bytes).digest("hex").slice(0, 8)}`;

/** Names the target of a path of the source: a page by its path, a file by its bytes. */
export function sourceTarget(source: string, path: string, fragment = ""): string {
  const absolute = join(source, path);
  if (/\.(?:mdx?|csv|html)$/.test(path) || !existsSync(absolute) || statSync(absolute).isDirectory())
    return path + fragment;
  return digestOf(readFileSync(absolute)) + fragment;
}
