import { open } from "node:fs/promises";
import { posix } from "node:path";
import { isNotionName } from "./notion.ts";
import { isOutlineExport } from "./outline/export.ts";
import type { Scan } from "./scan.ts";

/** The product that wrote a source, as far as an import has to know: `folder` is any folder of Markdown files. */
export type Product = "folder" | "obsidian" | "notion" | "outline" | "confluence" | "html";

/** Finds out which product wrote a source from its names and, for HTML, from the beginning of a page. */
export async function productOf({ files, others, hidden }: Scan): Promise<Product> {
  if (hidden.has(".obsidian")) return "obsidian";
  const names = [...files.map(({ path }) => path), ...[...others.keys()].filter((path) => path.endsWith(".csv"))];
  if (names.length > 0 && names.filter(isNotionName).length * 2 > names.length) return "notion";
  if (files.length > 0) return "folder";
  if (await isOutlineExport(others)) return "outline";
  const pages = [...others].filter(([path]) => isHtml(path));
  const first = pages.find(([path]) => posix.basename(path) !== "index.html") ?? pages[0];
  if (first === undefined) return "folder";
  return /confluence|com-atlassian|wiki-content/i.test(await headOf(first[1])) ? "confluence" : "html";
}

/** Returns whether a file is a page of HTML. */
export const isHtml = (path: string): boolean => /\.html?$/i.test(path);

const headBytes = 64 * 1024;

async function headOf(absolute: string): Promise<string> {
  const file = await open(absolute);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return buffer.toString("latin1", 0, bytesRead);
  } finally {
    await file.close();
  }
}
