import { readFile, stat } from "node:fs/promises";
import { basename } from "node:path";
import type { z } from "zod";
import { explain } from "./explain.ts";
import { SourceError } from "./source-error.ts";

/** A parsed text takes several times its bytes, in the memory of the import: the list of 100,000 documents, or a large collection. */
const maxBytes = 64 * 1024 * 1024;

/**
 * Reads a JSON file of an export; null if it is missing, no JSON, nested too deeply, or of another program.
 * @throws {SourceError} `payload_too_large` for one of more than 64 MB
 */
export async function readJson<T>(absolute: string, schema: z.ZodType<T>): Promise<T | null> {
  const size = (await stat(absolute).catch(() => null))?.size ?? 0;
  if (size > maxBytes) {
    const part = { name: basename(absolute), megabytes: maxBytes / 1024 ** 2 };
    throw new SourceError("payload_too_large", explain("part_too_large", part));
  }
  try {
    return schema.safeParse(JSON.parse(await readFile(absolute, "utf8"))).data ?? null;
  } catch {
    return null;
  }
}
