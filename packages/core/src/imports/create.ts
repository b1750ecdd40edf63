import { randomBytes } from "node:crypto";
import { type Actor, hashToken } from "@kb/auth";
import { newId, sql, type Tx } from "@kb/db";
import { z } from "zod";
import { FileName } from "../attachments/attachment.ts";
import { type Files, requireFiles } from "../attachments/files.ts";
import { requireCollection } from "../collections/row.ts";
import { invalid, ServiceError } from "../errors.ts";
import { operation } from "../operation.ts";
import { CollectionName, Id, Timestamp, timestamp } from "../schema/text.ts";
import { Import, presentImport, requireImport } from "./import-row.ts";
import { makeRoomForImport, maxImportBytesOf, requireRoomForImport } from "./room.ts";
import { sizeInWords } from "./size-in-words.ts";

/** The time for which an upload address is valid. */
const uploadTtlMs = 60 * 60 * 1000;

/** The endings of files that can be imported. */
const endings = /\.(?:zip|md|markdown|mdx)$/i;

/** Requires a size that a file to import may have. @throws {ServiceError} `payload_too_large` */
function requireImportSize(size: number, files: Files): void {
  const limit = maxImportBytesOf(files);
  if (size > limit)
    throw new ServiceError("payload_too_large", `A file to import may have at most ${sizeInWords(limit)}.`);
}

/** Registers an import and returns the address to which its file is sent. A worker begins it once the file is there. */
export const createImport = operation({
  name: "imports.create",
  summary: "Begin an import",
  description:
    "Then send the file by `PUT` to `uploadUrl`, once and within an hour: a ZIP archive or a Markdown file. `imports.get` shows the progress. A dry run writes nothing and needs no collection; name the one that you are going to create as `newCollection`.",
  scope: "write",
  capability: "document.create",
  sessionOnly: true,
  input: z.strictObject({
    name: FileName.refine((name) => endings.test(name), "Must be a ZIP archive or a Markdown file"),
    size: z.int().min(1),
    collectionId: Id.optional(),
    newCollection: CollectionName.optional(),
    dryRun: z.boolean().default(false),
    update: z.boolean().default(false),
    publish: z.boolean().default(true),
    textTags: z.boolean().default(false),
  }),
  output: z.object({
    import: Import,
    uploadUrl: z.url(),
    method: z.literal("PUT"),
    headers: z.record(z.string(), z.string()),
    maxUploadSize: z.int(),
    expiresAt: Timestamp,
  }),
  async prepare({ size }, { service, actor }) {
    requireImportSize(size, requireFiles(service));
    await makeRoomForImport(service, actor, size);
  },
  async run(context, { name, size, collectionId, newCollection, ...switches }) {
    const { tx, actor, now, appUrl } = context;
    if (collectionId === undefined && !switches.dryRun) throw invalid("collectionId", "Required, except for a dry run");
    if (collectionId !== undefined) await requireWritable(tx, actor, collectionId);
    await requireRoomForImport(context, size);
    const id = newId();
    const token = randomBytes(32).toString("base64url");
    const expiresAt = new Date(now.getTime() + uploadTtlMs);
    const options = { ...switches, newCollection: newCollection ?? null };
    await tx.execute(sql`INSERT INTO imports
        ("teamId", id, "userId", "collectionId", name, size, options, "uploadHash", "uploadExpiresAt", "createdAt")
      VALUES (${actor.teamId}::uuid, ${id}::uuid, ${actor.userId}::uuid, ${collectionId ?? null}::uuid, ${name},
        ${size}::bigint, ${JSON.stringify(options)}::jsonb, ${hashToken(token)}, ${expiresAt}, ${now})`);
    return {
      import: presentImport(await requireImport(tx, actor, id), now),
      uploadUrl: `${appUrl}/api/imports.upload/${id}?token=${token}`,
      method: "PUT" as const,
      headers: { "Content-Type": "application/octet-stream" },
      maxUploadSize: size,
      expiresAt: timestamp(expiresAt),
    };
  },
});

/** Requires a collection in which the caller may create documents. @throws {ServiceError} `not_found`, `forbidden`, `conflict` */
export async function requireWritable(tx: Tx, actor: Actor, id: string): Promise<void> {
  const { archivedAt } = await requireCollection(tx, actor, "createDocument", id);
  if (archivedAt !== null) throw new ServiceError("conflict", "This collection is archived: unarchive it first.");
}
