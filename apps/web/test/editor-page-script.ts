import { join } from "node:path";
import { build, type Plugin } from "vite";

/** Builds a module of this folder for a page: its script, which sets a variable to what it exports, and its style. */
export async function pageScript(
  module: string,
  name: string,
): Promise<{ readonly script: string; readonly style: string }> {
  const entry = join(import.meta.dirname, module);
  const { script, assets } = await builtScript(entry, name, [workersInPlace]);
  return { script, style: assets.join("\n") };
}

const worker = "?worker&url";

/** Puts the script of a worker into the page that starts it: such a page has no server. */
const workersInPlace: Plugin = {
  name: "workers-in-place",
  enforce: "pre",
  async load(id) {
    if (!id.endsWith(worker)) return null;
    const { script } = await builtScript(id.slice(0, -worker.length), "worker", []);
    return `export default ${JSON.stringify(`data:text/javascript,${encodeURIComponent(script)}`)};`;
  },
};

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
