import { cp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { build, type Rolldown } from "vite";
import type { AssetManifest } from "./asset-manifest.ts";
import { chunks, isAtStart, namedFiles } from "./chunks.ts";
import { setProductionEnvironment } from "./env.ts";
import { packageFolder } from "./paths.ts";
import { precompress } from "./precompress.ts";
import { readManifest } from "./read-manifest.ts";

/**
 * Builds the app into `dist/client`: modules and styles with a hash in their names, `manifest.json`, and a
 * compressed copy beside each. The folder is replaced at the end, so a build that fails leaves the previous one. The files of
 * the build before stay, because pages that are open ask for them.
 */
export async function buildClient(inputs: string): Promise<AssetManifest> {
  setProductionEnvironment();
  const target = join(packageFolder, "dist/client");
  const staging = join(packageFolder, `dist/staging-${process.pid}`);
  try {
    const output = await bundle(staging);
    await precompress(join(staging, "assets"));
    const assets = (await readdir(join(staging, "assets"))).sort();
    const manifest = { ...filesOf(output), assets, inputs };
    await writeFile(join(staging, "manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`);
    await keepPreviousAssets(target, staging);
    await rm(target, { recursive: true, force: true });
    await rename(staging, target);
    return manifest;
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/**
 * Lets Chromium compile all functions of a file beside the main thread while the file comes, instead of each on the main thread
 * when it is first called. Other browsers pass over it.
 */
const compileAll = "//# allFunctionsCalledOnLoad";

async function bundle(outDir: string): Promise<Rolldown.RolldownOutput> {
  const result = await build({
    configFile: false,
    root: join(packageFolder, "src/client"),
    logLevel: "warn",
    mode: "production",
    worker: { format: "es" },
    build: {
      outDir,
      emptyOutDir: true,
      target: "es2023",
      modulePreload: { polyfill: false, resolveDependencies: namedFiles },
      // One sheet: its parts take a few kB, and each further file would hold up the first paint by a request.
      cssCodeSplit: false,
      reportCompressedSize: false,
      rolldownOptions: {
        input: join(packageFolder, "src/client/main.tsx"),
        output: { codeSplitting: chunks, postBanner: (chunk) => (isAtStart(chunk) ? compileAll : "") },
        onLog: (level, log, report) => {
          // "use client" means nothing here: there are no server components.
          if (log.code !== "MODULE_LEVEL_DIRECTIVE") report(level, log);
        },
      },
    },
  });
  if (Array.isArray(result) || !("output" in result)) throw new Error("Vite returned more than one output");
  return result;
}

type Files = Pick<AssetManifest, "script" | "preloads" | "lazy" | "styles">;

function filesOf({ output }: Rolldown.RolldownOutput): Files {
  const chunksByName = new Map(
    output.flatMap((file) => (file.type === "chunk" ? [[file.fileName, file] as const] : [])),
  );
  const entry = [...chunksByName.values()].find(({ isEntry }) => isEntry);
  if (entry === undefined) throw new Error("The build has no entry");
  const atStart = importsOf(entry, chunksByName);
  const lazy: Record<string, string[]> = {};
  for (const chunk of chunksByName.values()) {
    const source = relative(join(packageFolder, "src"), chunk.facadeModuleId ?? "..");
    if (!chunk.isDynamicEntry || source.startsWith("..")) continue;
    const further = [chunk.fileName, ...importsOf(chunk, chunksByName)].filter((name) => !atStart.has(name));
    lazy[source] = further.map(addressOf);
  }
  const sheets = output.filter(({ fileName }) => fileName.endsWith(".css"));
  return {
    script: addressOf(entry.fileName),
    preloads: [...atStart].map(addressOf),
    lazy,
    styles: sheets.map(({ fileName }) => addressOf(fileName)),
  };
}

const addressOf = (name: string): string => `/${name}`;

/** Returns the names of all chunks that a chunk imports, directly or not. */
function importsOf(chunk: Rolldown.OutputChunk, chunksByName: ReadonlyMap<string, Rolldown.OutputChunk>): Set<string> {
  const found = new Set<string>();
  const add = ({ imports }: Rolldown.OutputChunk): void => {
    for (const name of imports) {
      const imported = chunksByName.get(name);
      if (imported === undefined || found.has(name)) continue;
      found.add(name);
      add(imported);
    }
  };
  add(chunk);
  return found;
}

/**
 * Adds the files that another build made, but not those that it had kept itself, so that its pages still find what they ask
 * for. Does nothing if `from` has no build, or a damaged one. `into` is a folder like `dist/client`, by default that one.
 */
export async function keepPreviousAssets(from: string, into = join(packageFolder, "dist/client")): Promise<void> {
  const assets = readManifest(from)?.assets ?? [];
  // A new file stays, because the hash in its name does not cover its list of files to preload.
  await Promise.all(assets.map((name) => cp(join(from, "assets", name), join(into, "assets", name), { force: false })));
}
