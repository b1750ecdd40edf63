import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import JSZip from "jszip";

// Writes the desktop bundle of `kb-mcp-stdio`, which desktop clients install by a double click: `kb-mcp-stdio-<version>.mcpb`, a ZIP
// archive of the built program and `manifest.json`. `node build/desktop-bundle.ts [FOLDER]`, by default `dist` of the app.
const app = fileURLToPath(new URL("../apps/mcp-stdio", import.meta.url));
const read = (name: string): string => readFileSync(join(app, name), "utf8");
const { version, files } = JSON.parse(read("package.json"));
const manifest = { ...JSON.parse(read("manifest.json")), version };

// An entry with a fixed time makes equal bundles of equal programs.
const options = { date: new Date("2000-01-01T00:00:00Z"), createFolders: false };
const archive = new JSZip();
archive.file("manifest.json", `${JSON.stringify(manifest, null, 2)}\n`, options);
for (const name of ["README.md", "LICENSE"]) archive.file(name, read(name), options);
archive.file("icon.png", readFileSync(join(app, "icon.png")), options);
for (const name of [...files, "dist/package.json"]) {
  archive.file(String(name).replace("dist/", "server/"), readFileSync(join(app, name)), options);
}

const target = join(resolve(process.argv[2] ?? join(app, "dist")), `kb-mcp-stdio-${version}.mcpb`);
writeFileSync(target, await archive.generateAsync({ type: "nodebuffer", compression: "DEFLATE" }));
process.stdout.write(`${target}\n`);
