import { Prisma } from "./generated/client.ts";

/** A composed SQL statement: its text with placeholders, its values apart. */
export type Sql = Prisma.Sql;

/** Anything that answers a read: the database itself, a transaction, a snapshot. */
export type Reader = {
  /** The rows of one statement. int8 is a number where it is safe (else a bigint), timestamptz a Date, jsonb its value. */
  rows<T>(statement: Sql): Promise<T[]>;
};

/** A template tag: each `${value}` becomes a parameter, each nested `Sql` is spliced in. */
export const sql = Prisma.sql;
/** Joins statements or values by a separator (default a comma). */
export const join = Prisma.join;
/** A statement of nothing, for the absent part of a composed one. */
export const empty = Prisma.empty;
/** Text taken as SQL as it stands. Never for anything that a caller sent. */
export const raw = Prisma.raw;
