import { readFile } from "node:fs/promises";
import { posix } from "node:path";
import { mapAddresses, parseMarkdown } from "markdown-codec";
import { parse } from "yaml";
import { z } from "zod";
import type { SourceFile } from "./scan.ts";

/** The order and the names that a documentation site gives its pages and folders, by their paths. */
export type Order = {
  readonly positions: Map<string, number>;
  readonly titles: Map<string, string>;
  /** Titles under which an earlier release imported folders, by their paths: a further import recognizes them by these too. */
  readonly formerTitles: Map<string, string>;
  /** Files that only give the order: they are no pages. */
  readonly used: Set<string>;
};

const Category = z.object({ label: z.string().optional(), position: z.number().optional() });

const maxBytes = 1_000_000;

/** Reads the `SUMMARY.md` of a book and the `_category_` files of Docusaurus. */
export async function readOrder(files: readonly SourceFile[], others: ReadonlyMap<string, string>): Promise<Order> {
  const order: Order = { positions: new Map(), titles: new Map(), formerTitles: new Map(), used: new Set() };
  for (const file of files) {
    const isSummary = /^(?:src\/|docs\/)?SUMMARY\.md$/.test(file.path);
    if (isSummary && file.bytes <= maxBytes && (await readSummary(file, order))) order.used.add(file.path);
  }
  for (const [path, absolute] of others) {
    if (!/(?:^|\/)_category_\.(?:json|ya?ml)$/.test(path)) continue;
    const text = await readFile(absolute, "utf8").catch(() => "");
    const category = Category.safeParse(text.length > maxBytes ? null : parseOrNull(text)).data;
    if (category === undefined) continue;
    const folder = posix.dirname(path);
    if (category.position !== undefined) order.positions.set(folder, category.position);
    if (category.label !== undefined) order.titles.set(folder, category.label);
    order.used.add(path);
  }
  return order;
}

function parseOrNull(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return null;
  }
}

/** Reads the order of the chapters; returns whether there are some. */
async function readSummary({ path, absolute }: SourceFile, { positions }: Order): Promise<boolean> {
  try {
    mapAddresses(parseMarkdown(await readFile(absolute, "utf8")), (address) => {
      const target = posix.join(posix.dirname(path), decodeURI(address.replace(/[?#].*$/s, "")));
      if (!positions.has(target)) positions.set(target, positions.size);
      return undefined;
    });
  } catch {
    return false;
  }
  return positions.size > 0;
}
