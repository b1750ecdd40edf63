import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { AssetManifest } from "./asset-manifest.ts";

/** Returns the manifest in a folder like `dist/client`; undefined if there is none, or if it is damaged. */
export function readManifest(folder: string): AssetManifest | undefined {
  const path = join(folder, "manifest.json");
  if (!existsSync(path)) return undefined;
  try {
    return AssetManifest.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch {
    return undefined;
  }
}
