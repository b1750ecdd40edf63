import { cpSync, existsSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { manifestOf } from "./manifest.ts";

/**
 * Copies packages, and all that they need, out of the installed ones to `target/node_modules`: exactly the versions of the
 * lockfile, and of those that exist for each platform the one of this machine.
 * @throws {Error} where one that is needed is not installed, or is needed in two versions.
 */
export function placeBeside(names: readonly string[], from: string, target: string): void {
  const placed = new Map<string, string>();
  const place = (name: string, dependant: string, optional: boolean): void => {
    const folder = folderOf(name, dependant);
    if (folder === undefined) {
      if (optional) return;
      throw new Error(`${name} is not installed for ${dependant}`);
    }
    const earlier = placed.get(name);
    if (earlier !== undefined && earlier !== folder) throw new Error(`${name} is needed in two versions`);
    if (earlier !== undefined) return;
    placed.set(name, folder);
    cpSync(folder, join(target, "node_modules", name), { recursive: true, dereference: true });
    const { dependencies = {}, optionalDependencies = {} } = manifestOf(folder);
    for (const need of Object.keys(dependencies)) place(need, folder, need in optionalDependencies);
    for (const need of Object.keys(optionalDependencies)) place(need, folder, true);
  };
  for (const name of names) place(name, from, false);
}

function folderOf(name: string, dependant: string): string | undefined {
  const places = createRequire(join(dependant, "package.json")).resolve.paths(name) ?? [];
  const found = places.map((place) => join(place, name)).find((folder) => existsSync(join(folder, "package.json")));
  return found === undefined ? undefined : realpathSync(found);
}
