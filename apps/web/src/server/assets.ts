import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { notFound } from "@kb/core";
import type { Edge } from "@kb/http";
import type { Hono } from "hono";
import type { AssetManifest } from "../build/asset-manifest.ts";
import { readManifest } from "../build/read-manifest.ts";
import { builtFolder } from "./built-folder.ts";
import { acceptedEncoding, type Encoding } from "./compress.ts";
import { workerPolicy } from "./policy.ts";

/** The files of the built app. */
export type Assets = {
  /** Undefined if the app is not built, or its manifest is damaged: pages then work without script and style. */
  readonly manifest: AssetManifest | undefined;
  /** Returns a file of the `assets` folder with its compressed forms; undefined for any other name. */
  find(name: string): Asset | undefined;
};

type Asset = { readonly type: string; readonly forms: ReadonlyMap<Encoding, Buffer> };

const types: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};
const suffixes: readonly (readonly [Encoding, string])[] = [
  ["br", ".br"],
  ["gzip", ".gz"],
  ["identity", ""],
];

/**
 * Opens the built app in a folder like `dist/client`, by default that one. It stays open: a file is read once and kept, as
 * all of them together take about 2 MB.
 */
export function openAssets(folder = builtFolder): Assets {
  const manifest = readManifest(folder);
  if (manifest === undefined) return { manifest, find: () => undefined };
  const names = new Set(readdirSync(join(folder, "assets")));
  const kept = new Map<string, Asset>();
  return {
    manifest,
    find: (name) => {
      const type = types[extname(name)];
      if (type === undefined || !names.has(name)) return undefined;
      const asset = kept.get(name) ?? { type, forms: readForms(join(folder, "assets"), name, names) };
      kept.set(name, asset);
      return asset;
    },
  };
}

function readForms(folder: string, name: string, names: ReadonlySet<string>): ReadonlyMap<Encoding, Buffer> {
  const existing = suffixes.filter(([, suffix]) => names.has(`${name}${suffix}`));
  return new Map(existing.map(([encoding, suffix]) => [encoding, readFileSync(join(folder, `${name}${suffix}`))]));
}

/** Serves the files below `/assets/`. Each name holds a hash of its content, so that browsers keep it for a year. */
export function serveAssets(app: Hono<Edge>, assets: Assets): void {
  // Tells open pages that a newer release is there.
  app.get("/assets/build.json", (context) => {
    context.header("Cache-Control", "no-store");
    return context.json({ build: assets.manifest?.inputs ?? null });
  });
  app.get("/assets/:name", (context) => {
    const name = context.req.param("name");
    const asset = assets.find(name);
    if (asset === undefined) throw notFound("File");
    const encoding = acceptedEncoding(context, [...asset.forms.keys()]);
    const bytes = asset.forms.get(encoding);
    if (bytes === undefined) throw notFound("File");
    const tag = `"${name}"`;
    context.header("Cache-Control", "public, max-age=31536000, immutable");
    context.header("ETag", tag);
    context.header("Vary", "Accept-Encoding");
    if (extname(name) === ".js") context.header("Content-Security-Policy", workerPolicy);
    if (context.req.header("If-None-Match") === tag) return context.body(null, 304);
    context.header("Content-Type", asset.type);
    if (encoding !== "identity") context.header("Content-Encoding", encoding);
    return context.body(new Uint8Array(bytes));
  });
}
