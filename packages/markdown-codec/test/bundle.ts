import { resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { ownEntities } from "../scripts/own-entities.ts";

const source = resolve(import.meta.dirname, "../src");

/**
 * Bundles the code that a browser would load, minified: everything that the package exports or only the functions named, with the
 * libraries it needs or without the modules named `external`, as the package is built. As a script it defines the global `codec`.
 */
export async function browserBundle(external: string[] = [], names: string[] = [], entry = "index"): Promise<string> {
  const what = names.length > 0 ? `{ ${names.join(", ")} }` : "*";
  const result = await build({
    stdin: { contents: `export ${what} from "./${entry}.ts";`, resolveDir: source, loader: "ts" },
    bundle: true,
    minify: true,
    write: false,
    format: external.length > 0 ? "esm" : "iife",
    globalName: "codec",
    platform: "browser",
    target: "es2022",
    legalComments: "none",
    external,
    plugins: [ownEntities],
  });
  return result.outputFiles[0]?.text ?? "";
}

/** Kilobytes (1,000 bytes) after gzip at its best. */
export function gzipKilobytes(code: string): number {
  return gzipSync(code, { level: 9 }).length / 1_000;
}
