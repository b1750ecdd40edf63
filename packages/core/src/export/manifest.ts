import { timestamp, timestampOrNull } from "../schema/text.ts";
import type { ExportedDocument } from "./bodies.ts";
import type { Entry } from "./outline.ts";

/** The entry of a document in the manifest. */
export type ManifestEntry = {
  readonly id: string;
  readonly path: string;
  readonly title: string;
  readonly revision: number;
  readonly tags: readonly string[];
  /** Left out where the document has none. */
  readonly emoji?: string;
  readonly parentDocumentId: string | null;
  readonly publishedAt: string | null;
  readonly updatedAt: string;
};

/** Returns the manifest entry of a document. */
export function listed(
  entry: Entry,
  { title, revision, tags, emoji, publishedAt, updatedAt }: ExportedDocument,
): ManifestEntry {
  return {
    id: entry.id,
    path: entry.path,
    title,
    revision,
    tags: [...tags],
    ...(emoji === null ? {} : { emoji }),
    parentDocumentId: entry.parentId,
    publishedAt: timestampOrNull(publishedAt),
    updatedAt: timestamp(updatedAt),
  };
}

/** Writes `manifest.json`, one document per line. `frontMatter: false` says that the files have none of the export. */
export function* manifestOf(
  collection: { id: string; name: string; icon: string | null; color: string | null; description: string | null },
  exportedAt: Date,
  documents: readonly ManifestEntry[],
  frontMatter: boolean,
): Generator<string> {
  const { id, name, icon, color, description } = collection;
  const head = {
    version: 1,
    exportedAt: timestamp(exportedAt),
    collection: { id, name, icon, color, description },
    ...(frontMatter ? {} : { frontMatter }),
  };
  yield `${JSON.stringify(head).slice(0, -1)},"documents":[\n`;
  for (const [index, document] of documents.entries()) yield `${index === 0 ? "" : ",\n"}${JSON.stringify(document)}`;
  yield "\n]}\n";
}
