import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

const Manifest = z.object({
  version: z.literal(1),
  documents: z.array(
    z.object({
      path: z.string(),
      title: z.string(),
      tags: z.array(z.string()),
      publishedAt: z.string().nullable(),
    }),
  ),
});

/** What the manifest of an export tells of a file. */
export type Told = {
  readonly title: string;
  readonly tags: readonly string[];
  readonly draft: boolean;
  /** Its place among all documents of the export. */
  readonly position: number;
};

/** What an export tells of its files, by their paths. */
export type Manifest = ReadonlyMap<string, Told>;

/** Reads the manifest that an export put into its folder; empty where there is none, or one of something else. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, "manifest.json"), "utf8").catch(() => "null");
  const parsed = Manifest.safeParse(parse(text));
  if (!parsed.success) return new Map();
  return new Map(
    parsed.data.documents.map(({ path, title, tags, publishedAt }, position) => [
      path,
      { title, tags, draft: publishedAt === null, position },
    ]),
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
