import { sql } from "@kb/db";
import type { ByteRange } from "@kb/storage";
import type { Service } from "../operation.ts";
import { requireFiles } from "./files.ts";
import { isShown } from "./media-type.ts";

/** The bytes behind a public address, and what is to be known of them. */
export type PublicFile = {
  readonly publicId: string;
  readonly name: string;
  readonly contentType: string;
  readonly size: number;
  /** A browser may show it by itself; everything else is for saving. */
  readonly shown: boolean;
  readonly createdAt: Date;
  /** The bytes, or a part of them; null where the store has lost them. */
  open(range?: ByteRange): Promise<AsyncIterable<Uint8Array> | null>;
};

type Row = { storageKey: string; name: string; contentType: string; size: bigint | number; createdAt: Date };

/** Finds what stands behind a public address: whoever has it may see it. Null where nothing is. */
export async function findFile(service: Service, publicId: string): Promise<PublicFile | null> {
  const { files, database } = service;
  if (files === undefined || !/^[A-Za-z0-9_-]{32}$/.test(publicId)) return null;
  const [row] = await database.beforeTeam.rows<Row>(sql`
    SELECT "storageKey", name, "contentType", size, "createdAt" FROM attachments
    WHERE "publicId" = ${publicId} AND status = 'ready' AND "storageKey" IS NOT NULL`);
  if (row === undefined) return null;
  const { storageKey, name, contentType, createdAt } = row;
  const { store } = requireFiles(service);
  return {
    ...{ publicId, name, contentType, createdAt, size: Number(row.size), shown: isShown(contentType) },
    open: (range) => store.get(storageKey, range),
  };
}
