import { join } from "node:path";
import { build } from "vite";

/** Builds a module of this folder for a page: its script, which sets a variable to what it exports, and its style. */
export async function pageScript(
  module: string,
  name: string,
): Promise<{ readonly script: string; readonly style: string }> {
  const entry = join(import.meta.dirname, module);
  const result = await build({
    configFile: false,
    logLevel: "silent",
    // A library asks for it where it is loaded.
    define: { "process.env.NODE_ENV": JSON.stringify("production") },
    build: { write: false, minify: false, lib: { entry, formats: ["iife"], name, cssFileName: "style" } },
  });
  const [built] = Array.isArray(result) ? result : [result];
  if (built === undefined || !("output" in built)) throw new Error("The module was not built");
  const style = built.output.flatMap((file) => (file.type === "asset" ? [String(file.source)] : [])).join("\n");
  return { script: built.output[0].code, style };
}
