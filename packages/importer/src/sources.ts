import { stat } from "node:fs/promises";
import { posix } from "node:path";
import { isNotionName } from "./notion.ts";
import { type Order, readOrder } from "./order.ts";
import { convertOutline } from "./outline/convert.ts";
import { isHtml, type Product, productOf } from "./product.ts";
import type { Findings } from "./report.ts";
import type { Scan, SourceFile, SourceKind } from "./scan.ts";

/** The files of a source: those that become documents, and those that may become attachments. */
export type Source = {
  readonly product: Product;
  readonly files: readonly SourceFile[];
  readonly others: ReadonlyMap<string, string>;
  readonly order: Order;
};

/** Decides which files of a folder become documents, by the product that wrote it. `temporary` takes converted files. */
export async function sourceOf(scan: Scan, temporary: string, findings: Findings): Promise<Source> {
  const product = await productOf(scan);
  const others = new Map(scan.others);
  const order = await readOrder(scan.files, others);
  const files = scan.files.filter(({ path }) => !order.used.has(path));
  for (const path of order.used) others.delete(path);
  if (product === "outline") {
    files.push(...(await convertOutline(others, temporary, { findings, order })));
  }
  if (product === "notion") files.push(...(await takeDatabases(others)));
  if (product === "confluence" || product === "html") files.push(...(await takePages(others, product)));
  return { product, files, others, order };
}

/** Takes Notion's databases. Of the two files of one, that with all columns is read under the name of the other. */
async function takeDatabases(others: Map<string, string>): Promise<SourceFile[]> {
  const files: SourceFile[] = [];
  const paths = [...others.keys()].filter((path) => path.endsWith(".csv") && isNotionName(path));
  for (const path of paths) {
    if (path.endsWith("_all.csv")) continue;
    const whole = path.replace(/\.csv$/, "_all.csv");
    const absolute = others.get(whole) ?? others.get(path);
    if (absolute === undefined) continue;
    files.push(await fileAt(path, absolute, "csv"));
    others.delete(path);
    others.delete(whole);
  }
  return files;
}

/** Takes the pages of an HTML export. The index of a Confluence space only lists them. */
async function takePages(others: Map<string, string>, product: Product): Promise<SourceFile[]> {
  const files: SourceFile[] = [];
  for (const [path, absolute] of [...others]) {
    if (!isHtml(path)) continue;
    others.delete(path);
    if (product === "confluence" && posix.basename(path) === "index.html") continue;
    files.push(await fileAt(path, absolute, "html"));
  }
  return files;
}

async function fileAt(path: string, absolute: string, kind: SourceKind): Promise<SourceFile> {
  return { path, absolute, bytes: (await stat(absolute)).size, kind };
}
