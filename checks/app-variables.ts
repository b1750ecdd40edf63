import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryFiles } from "./repository.ts";

const root = join(import.meta.dirname, "..");

/** Every table of variables in the sources, by its name. */
const variableTables = new Map(
  repositoryFiles(root)
    .filter(({ path }) => /^(apps|packages)\/[^/]+\/src\/.*\.ts$/.test(path))
    .flatMap((file) => [...file.text.matchAll(/export const (\w+Variables) = \{([\s\S]*?)\n\};/g)])
    .map(([, name = "", table = ""]) => [name, table]),
);

/** Returns the variables of an app's `env.ts`, including those of the tables that it spreads. */
export const variablesOf = (app: string): string[] => [
  ...new Set(variablesIn(readFileSync(join(root, `apps/${app}/src/env.ts`), "utf8"))),
];

function variablesIn(source: string): string[] {
  const own = [...source.matchAll(/^\s+([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*):/gm)].map(([, name = ""]) => name);
  const spread = [...source.matchAll(/\.\.\.(\w+Variables)/g)].map(([, name = ""]) => variableTables.get(name) ?? "");
  return [...own, ...spread.flatMap(variablesIn)];
}
