import { join } from "node:path";
import { packageFolder } from "./paths.ts";
import { readManifest } from "./read-manifest.ts";

/** Returns whether the app is built from these inputs. */
export function isBuilt(inputs: string, folder = join(packageFolder, "dist/client")): boolean {
  return readManifest(folder)?.inputs === inputs;
}
