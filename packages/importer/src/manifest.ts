import { join } from "node:path";
import { z } from "zod";
import { readJson } from "./read-json.ts";

const Manifest = z.object({
  version: z.literal(1),
  frontMatter: z.boolean().default(true),
  documents: z.array(
    z.object({
      path: z.string(),
      title: z.string(),
      tags: z.array(z.string()),
      emoji: z.string().nullable().default(null),
      publishedAt: z.string().nullable(),
    }),
  ),
});

/** The entry of a file in the manifest of an export. */
export type ManifestEntry = {
  readonly title: string;
  readonly tags: readonly string[];
  readonly emoji: string | null;
  readonly draft: boolean;
  /** The export wrote front matter: without it, all that the file has is text. */
  readonly hasFrontMatter: boolean;
  /** Its position among all documents of the export. */
  readonly position: number;
};

/** The manifest of an export, by the paths of its files. */
export type Manifest = ReadonlyMap<string, ManifestEntry>;

/** Reads the manifest of an export; returns an empty one if it is missing or of another program. */
export async function readManifest(folder: string): Promise<Manifest> {
  const manifest = await readJson(join(folder, "manifest.json"), Manifest);
  if (manifest === null) return new Map();
  const { documents, frontMatter: hasFrontMatter } = manifest;
  return new Map(
    documents.map(({ path, title, tags, emoji, publishedAt }, position) => [
      path,
      { title, tags, emoji, draft: publishedAt === null, hasFrontMatter, position },
    ]),
  );
}
