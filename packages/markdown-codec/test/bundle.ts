import { resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const source = resolve(import.meta.dirname, "../src");

/** What a browser would load, minified: the entry point with everything, or without the modules named `external`. */
export async function browserBundle(entry = "index.ts", external: string[] = []): Promise<string> {
  const result = await build({
    entryPoints: [resolve(source, entry)],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    globalName: "codec",
    platform: "browser",
    target: "es2022",
    legalComments: "none",
    external,
  });
  return result.outputFiles[0]?.text ?? "";
}

/** Kilobytes (1,000 bytes) after gzip at its best. */
export function gzipKilobytes(code: string): number {
  return gzipSync(code, { level: 9 }).length / 1_000;
}
