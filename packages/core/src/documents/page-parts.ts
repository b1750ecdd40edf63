import { metered } from "@kb/telemetry";
import { z } from "zod";
import type { CallMetadata } from "../context.ts";
import { type BodyColumns, maxBytesAtOnce } from "./body-parts.ts";

/** The columns by which a row of a page is read later. */
type Identified = { readonly id: string; readonly revision: number };

/** A row of a page whose body is read later, because those before it are large. */
export type LaterRow = Identified & { readonly bodyBytes: number };

/** A row of a page: as it is shown, or to be read. */
export type PageRow<Shown> = { readonly shown: Shown } | { readonly later: LaterRow };

/** Returns a function that shows a row of a list, or leaves it for later. */
export function toPageRow<Row extends Identified, Shown>(present: (row: Row) => Shown) {
  return (row: Row & BodyColumns): PageRow<Shown> =>
    row.isBodyRead
      ? { shown: present(row) }
      : { later: { id: row.id, bodyBytes: row.bodyBytes, revision: row.revision } };
}

/** The way to read the rows whose bodies were left out. */
export type LaterRows<Row extends Identified, Shown> = {
  readonly call: CallMetadata;
  /** Reads the documents with these ids that the page may show, as of now. */
  readonly read: (ids: readonly string[]) => Promise<readonly Row[]>;
  /** Whether a document that has changed since the page was read is left out. */
  readonly unchangedOnly: boolean;
  readonly present: (row: Row) => Shown | Promise<Shown>;
  readonly schema: z.ZodType;
};

/**
 * Returns the rows of a page. If their bodies are large and the edge sends rows as they are read, these are the first ones,
 * and the edge receives the others; otherwise all of them.
 */
export async function rowsOfPage<Row extends Identified, Shown>(
  rows: readonly PageRow<Shown>[],
  later: LaterRows<Row, Shown>,
): Promise<Shown[]> {
  const begin = rows.findIndex((row) => "later" in row);
  const first = rows.slice(0, begin < 0 ? rows.length : begin).flatMap((row) => ("shown" in row ? [row.shown] : []));
  if (begin < 0) return first;
  const others = rows.slice(begin);
  const rest = readLater(others, later);
  const { continuation } = later.call;
  if (continuation === undefined) {
    for await (const part of rest) first.push(...part);
    return first;
  }
  continuation.rest = checked(rest, later.schema);
  continuation.state = others.map((row) => ("later" in row ? `${row.later.id}:${row.later.revision}` : "")).join();
  return first;
}

/** Parses each row, which removes every field that the contract does not name. */
async function* checked(
  parts: AsyncIterable<readonly unknown[]>,
  schema: z.ZodType,
): AsyncIterable<readonly unknown[]> {
  const rows = z.array(schema);
  for await (const part of parts) yield metered(() => rows.parse(part));
}

async function* readLater<Row extends Identified, Shown>(
  rows: readonly PageRow<Shown>[],
  { read, present, unchangedOnly }: LaterRows<Row, Shown>,
): AsyncIterable<Shown[]> {
  for (const part of partsOf(rows)) {
    const ids = part.flatMap((row) => ("later" in row ? [row.later.id] : []));
    const found = new Map((ids.length === 0 ? [] : await read(ids)).map((row) => [row.id, row]));
    const shown: Shown[] = [];
    for (const row of part) {
      const document = "shown" in row ? undefined : found.get(row.later.id);
      if ("shown" in row) shown.push(row.shown);
      else if (document !== undefined && !(unchangedOnly && document.revision !== row.later.revision)) {
        shown.push(await present(document));
      }
    }
    yield shown;
  }
}

/** Divides rows into parts of at most `maxBytesAtOnce`, each of at least one row. */
function* partsOf<Shown>(rows: readonly PageRow<Shown>[]): Generator<PageRow<Shown>[]> {
  let part: PageRow<Shown>[] = [];
  let bytes = 0;
  for (const row of rows) {
    const size = "later" in row ? row.later.bodyBytes : 0;
    if (part.length > 0 && bytes + size > maxBytesAtOnce) {
      yield part;
      part = [];
      bytes = 0;
    }
    part.push(row);
    bytes += size;
  }
  if (part.length > 0) yield part;
}
