import { z } from "zod";
import { readJson } from "../read-json.ts";

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
  return metadata !== undefined && (await readJson(metadata, z.object({ exportVersion: z.number() }))) !== null;
}

/** Reads a collection of an export; null for another file. */
export function readCollection(absolute: string): Promise<OutlineCollection | null> {
  return readJson(absolute, Export);
}
