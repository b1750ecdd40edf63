import { join } from "node:path";
import { build, type Plugin } from "vite";

type PageScript = { readonly script: string; readonly style: string; readonly worker: string };

/**
 * Builds a module of this folder for a page: its script, which sets a variable to what it exports, its style, and the worker that it starts.
 * The worker is part of the script, for a page without a server, unless there is an address at which the page finds it.
 */
export async function pageScript(module: string, name: string, workerAddress?: string): Promise<PageScript> {
  const entry = join(import.meta.dirname, module);
  const { script: worker } = await builtScript(workerEntry, "worker", []);
  const address = workerAddress ?? `data:text/javascript,${encodeURIComponent(worker)}`;
  const { script, assets } = await builtScript(entry, name, [workerAt(address)]);
  return { script, style: assets.join("\n"), worker };
}

const workerEntry = join(import.meta.dirname, "../src/client/reading/tokens-worker.ts");

const workerAt = (address: string): Plugin => ({
  name: "worker-at-address",
  enforce: "pre",
  load: (id) => (id === `${workerEntry}?worker&url` ? `export default ${JSON.stringify(address)};` : null),
});

async function builtScript(
  entry: string,
  name: string,
  plugins: Plugin[],
): Promise<{ readonly script: string; readonly assets: readonly string[] }> {
  const result = await build({
    configFile: false,
    logLevel: "silent",
    plugins,
    // A library asks for it where it is loaded.
    define: { "process.env.NODE_ENV": JSON.stringify("production") },
    build: { write: false, minify: false, lib: { entry, formats: ["iife"], name, cssFileName: "style" } },
  });
  const [built] = Array.isArray(result) ? result : [result];
  if (built === undefined || !("output" in built)) throw new Error("The module was not built");
  const assets = built.output.flatMap((file) => (file.type === "asset" ? [String(file.source)] : []));
  return { script: built.output[0].code, assets };
}
