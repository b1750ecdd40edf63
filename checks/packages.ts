import { builtinModules } from "node:module";
import { posix } from "node:path";
import { z } from "zod";
import { findCycles } from "./cycles.ts";
import { type Import, readModule } from "./modules.ts";
import { type Finding, isTestCode, isTypeScript, type SourceFile } from "./repository.ts";

const Names = z.record(z.string(), z.string()).default({});
const Manifest = z.object({
  name: z.string(),
  dependencies: Names,
  devDependencies: Names,
  peerDependencies: Names,
  optionalDependencies: Names,
});

/** One package.json of the workspace. */
type Package = {
  readonly name: string;
  /** The path of the package.json. */
  readonly path: string;
  /** All declared dependencies, including development dependencies. */
  readonly declared: ReadonlySet<string>;
  /** Declared dependencies that are also installed in production. */
  readonly inProduction: ReadonlySet<string>;
};

/** The libraries that the build of a published package puts into it; `*` stands for all. Nobody installs them. */
const bundled: Readonly<Record<string, string>> = { "kb-mcp-stdio": "*", "markdown-codec": "markdown-it" };

/** Finds cycles of packages and imports that the importing package's own package.json does not declare. */
export function packageFindings(files: readonly SourceFile[]): Finding[] {
  const packages = new Map(
    files
      .filter(({ path }) => posix.basename(path) === "package.json")
      .map((file) => [folderOf(file.path), read(file)]),
  );
  const sources = files.filter(({ path }) => isTypeScript(path));
  return [...cycleFindings([...packages.values()]), ...sources.flatMap((file) => importFindings(file, packages))];
}

function read({ path, text }: SourceFile): Package {
  const { name, dependencies, devDependencies, peerDependencies, optionalDependencies } = Manifest.parse(
    JSON.parse(text),
  );
  const inProduction = Object.keys({ ...dependencies, ...peerDependencies, ...optionalDependencies });
  return {
    name,
    path,
    declared: new Set([...inProduction, ...Object.keys(devDependencies)]),
    inProduction: new Set(inProduction),
  };
}

function cycleFindings(packages: readonly Package[]): Finding[] {
  const ours = new Set(packages.map(({ name }) => name));
  const edges = new Map(packages.map(({ name, declared }) => [name, [...declared].filter((other) => ours.has(other))]));
  return findCycles(edges).map((cycle) => ({
    path: packages.find(({ name }) => name === cycle[0])?.path ?? "package.json",
    line: 1,
    rule: `packages depend on each other: ${cycle.join(" -> ")}`,
  }));
}

function importFindings(file: SourceFile, packages: ReadonlyMap<string, Package>): Finding[] {
  const owner = ownerOf(file.path, packages);
  if (owner === undefined) return [];
  return readModule(file).imports.flatMap((used) => {
    const rule = importRule(file.path, owner, used);
    return rule === undefined ? [] : [{ path: file.path, line: used.line, rule }];
  });
}

function importRule(path: string, owner: Package, used: Import): string | undefined {
  if (isTestSupport(path, used.specifier) && !mayUseTestSupport(path)) {
    return `${used.specifier} is test support: only tests and test support import it`;
  }
  const name = packageOf(used.specifier);
  if (name === undefined || name === owner.name) return undefined;
  const describedByTypes = used.names.length === 0 && owner.declared.has(`@types/${name}`);
  if (describedByTypes) return undefined;
  if (!owner.declared.has(name)) return `${name} is not declared in ${owner.path}`;
  const runs = used.names.length > 0 && /(^|\/)src\//.test(path) && !isTestCode(path);
  const inBuild = bundled[owner.name];
  if (!runs || owner.inProduction.has(name) || inBuild === "*" || inBuild === name) return undefined;
  return `${name} is a development dependency in ${owner.path}, but runs in production`;
}

/** Returns true for benchmarks and tool settings as well: they use the same dependencies as tests. */
const mayUseTestSupport = (path: string): boolean =>
  isTestCode(path) || /(^|\/)(bench|scripts)\/|\.config\.ts$/.test(path);

/** Returns true for `@kb/testing`, the `testing` entry of one of our packages, and a `testing` folder. */
function isTestSupport(path: string, specifier: string): boolean {
  if (specifier.startsWith(".")) return isTestCode(posix.join(posix.dirname(path), specifier));
  return /^@kb\/(testing|bench)(\/|$)|^(@kb\/[^/]+|markdown-codec)\/testing(\/|$)/.test(specifier);
}

/** Returns the package that a bare specifier names; undefined for a relative path and for a Node.js module. */
function packageOf(specifier: string): string | undefined {
  const name = /^(?:@[\w.-]+\/)?[\w.-]+(?=\/|$)/.exec(specifier)?.[0];
  if (name === undefined || name.startsWith(".") || builtinModules.includes(name)) return undefined;
  return name;
}

/** Returns the package of the nearest folder with a package.json. */
function ownerOf(path: string, packages: ReadonlyMap<string, Package>): Package | undefined {
  for (let folder = folderOf(path); ; folder = folderOf(folder)) {
    const found = packages.get(folder);
    if (found !== undefined || folder === ".") return found;
  }
}

const folderOf = (path: string): string => posix.dirname(path);
