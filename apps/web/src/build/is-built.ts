import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packageFolder } from "./paths.ts";

const manifest = join(packageFolder, "dist/client/manifest.json");

/** Returns whether the app is built from these inputs. */
export function isBuilt(inputs: string): boolean {
  if (!existsSync(manifest)) return false;
  const built: unknown = JSON.parse(readFileSync(manifest, "utf8"));
  return typeof built === "object" && built !== null && "inputs" in built && built.inputs === inputs;
}
