import { cpSync, existsSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { manifestOf } from "./manifest.ts";

/**
 * Copies installed packages and their dependencies to `target/node_modules`, in the versions of the lockfile and for the
 * platform of this machine.
 * @throws {Error} if a package is not installed or is needed in two versions
 */
export function copyPackages(names: readonly string[], from: string, target: string): void {
  const placed = new Map<string, string>();
  const copy = (name: string, dependant: string, optional: boolean): void => {
    const folder = folderOf(name, dependant);
    if (folder === undefined) {
      if (optional) return;
      throw new Error(`${name} is not installed for ${dependant}`);
    }
    const earlier = placed.get(name);
    if (earlier !== undefined && earlier !== folder) throw new Error(`${name} is needed in two versions`);
    if (earlier !== undefined) return;
    placed.set(name, folder);
    // Links within a package, such as those between versions of a library, stay links.
    cpSync(folder, join(target, "node_modules", name), { recursive: true, verbatimSymlinks: true });
    const { dependencies = {}, optionalDependencies = {} } = manifestOf(folder);
    for (const need of Object.keys(dependencies)) copy(need, folder, need in optionalDependencies);
    for (const need of Object.keys(optionalDependencies)) copy(need, folder, true);
  };
  for (const name of names) copy(name, from, false);
}

function folderOf(name: string, dependant: string): string | undefined {
  const places = createRequire(join(dependant, "package.json")).resolve.paths(name) ?? [];
  const found = places.map((place) => join(place, name)).find((folder) => existsSync(join(folder, "package.json")));
  return found === undefined ? undefined : realpathSync(found);
}
