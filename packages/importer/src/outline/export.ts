import { readFile } from "node:fs/promises";
import { z } from "zod";

const NodeOfTree: z.ZodType<TreeNode> = z.object({
  id: z.string(),
  children: z.lazy(() => z.array(NodeOfTree)).optional(),
});

/** A document in the tree of its collection. */
export type TreeNode = { readonly id: string; readonly children?: readonly TreeNode[] | undefined };

const Export = z.object({
  collection: z.object({ name: z.string(), documentStructure: z.array(NodeOfTree).nullish() }),
  documents: z.record(
    z.string(),
    z.object({
      id: z.string(),
      urlId: z.string().nullish(),
      title: z.string(),
      emoji: z.string().nullish(),
      icon: z.string().nullish(),
      data: z.unknown(),
      createdAt: z.string().nullish(),
      publishedAt: z.string().nullish(),
      parentDocumentId: z.string().nullish(),
    }),
  ),
  attachments: z.record(z.string(), z.object({ key: z.string() })).nullish(),
});

/** A collection of an Outline JSON export. */
export type OutlineCollection = z.output<typeof Export>;

export type OutlineDocument = OutlineCollection["documents"][string];

/** Returns whether the files are an Outline JSON export: its `metadata.json` names the version of the export. */
export async function isOutlineExport(others: ReadonlyMap<string, string>): Promise<boolean> {
  const metadata = others.get("metadata.json");
  return metadata !== undefined && z.object({ exportVersion: z.number() }).safeParse(await readJson(metadata)).success;
}

/** Reads a collection of an export; null for another file. */
export async function readCollection(absolute: string): Promise<OutlineCollection | null> {
  return Export.safeParse(await readJson(absolute)).data ?? null;
}

async function readJson(absolute: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(absolute, "utf8"));
  } catch {
    return null;
  }
}
