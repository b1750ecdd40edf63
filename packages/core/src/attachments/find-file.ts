import { sql } from "@kb/db";
import type { ByteRange } from "@kb/storage";
import type { Service } from "../context.ts";
import { requireFiles } from "./files.ts";
import { isDisplayable } from "./media-type.ts";

/** A file behind a public address. */
export type PublicFile = {
  readonly publicId: string;
  readonly name: string;
  readonly contentType: string;
  readonly size: number;
  /** Whether a browser may show the file; everything else is a download. */
  readonly shown: boolean;
  readonly createdAt: Date;
  /** Opens the bytes, or a part of them. Returns null when the store has lost them. */
  open(range?: ByteRange): Promise<AsyncIterable<Uint8Array> | null>;
};

type Row = { storageKey: string; name: string; contentType: string; size: bigint | number; createdAt: Date };

/** Finds the file behind a public address, for anybody who has the address. Returns null for an unknown one. */
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
    publicId,
    name,
    contentType,
    createdAt,
    size: Number(row.size),
    shown: isDisplayable(contentType),
    open: (range) => store.get(storageKey, range),
  };
}
