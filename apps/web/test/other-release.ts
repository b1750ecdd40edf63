import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { AssetManifest } from "../src/build/asset-manifest.ts";

const isText = /\.(?:js|css|svg)$/;

/** Writes a build into `to` that is like the one in `from`, but has other names for all of its files: another release. */
export async function writeOtherRelease(from: string, to: string): Promise<void> {
  await mkdir(join(to, "assets"), { recursive: true });
  // The folder also has the files of the build before it.
  const { assets } = AssetManifest.parse(JSON.parse(await readFile(join(from, "manifest.json"), "utf8")));
  const names = assets.filter((name) => isText.test(name));
  const older = (index: number): string => `-0lder${String(index).padStart(3, "0")}.$1`;
  const renamed = new Map(names.map((name, index) => [name, name.replace(/-[\w-]{8}\.(\w+)$/, older(index))]));
  const others = new Set(renamed.values());
  if (others.size !== names.length || names.some((name) => others.has(name)))
    throw new Error("Two files have one name");
  const rename = (text: string): string => {
    let changed = text;
    for (const [name, other] of renamed) changed = changed.replaceAll(name, other);
    return changed;
  };
  for (const [name, other] of renamed) {
    await writeFile(join(to, "assets", other), rename(await readFile(join(from, "assets", name), "utf8")));
  }
  const manifest = JSON.parse(rename(await readFile(join(from, "manifest.json"), "utf8")));
  await writeFile(join(to, "manifest.json"), JSON.stringify({ ...manifest, inputs: "older", assets: [...others] }));
}

/** Copies a build. */
export const copyRelease = (from: string, to: string): Promise<void> => cp(from, to, { recursive: true });
