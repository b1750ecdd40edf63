import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { createTarDecoder, type ParsedTarEntry } from "modern-tar";
import type { z } from "zod";
import { CommandError } from "../failure.ts";
import { decrypt } from "./encryption.ts";
import { BackupFileError, type Entry, pieceBytes, pieceName } from "./format.ts";
import { Chain, checksumKey, checksumOf, typeKey } from "./pack.ts";

const damaged = (why: string): BackupFileError => new BackupFileError(`is damaged: ${why}`);

type Checked = Entry & { readonly sha256: string };

/** Reads the entries of a backup in order and verifies each. */
export class Entries {
  readonly chain = new Chain();
  readonly #source: AsyncIterator<Checked>;
  #next: Checked | null | undefined;

  /** @param identities the private keys that open an encrypted backup */
  constructor(bytes: AsyncIterable<Uint8Array>, identities: readonly string[], signal: AbortSignal) {
    this.#source = entriesOf(bytes, identities, signal);
  }

  /** Returns the next entry without taking it; null at the end of the archive. @throws {BackupFileError} */
  async peek(): Promise<Checked | null> {
    if (this.#next === undefined) {
      const { done, value } = await this.#source.next();
      this.#next = done === true ? null : value;
    }
    return this.#next;
  }

  /** Takes the next entry. @throws {BackupFileError} at the end. */
  async take(): Promise<Checked> {
    const entry = await this.peek();
    if (entry === null) throw damaged("it ends early");
    this.#next = undefined;
    this.chain.add(entry.name, entry.sha256);
    return entry;
  }

  /** Takes the next entry, which must have this name, and parses it. @throws {BackupFileError} */
  async document<Schema extends z.ZodType>(name: string, schema: Schema): Promise<z.output<Schema>> {
    const entry = await this.take();
    if (entry.name !== name) throw damaged(`it contains ${entry.name} instead of ${name}`);
    const parsed = schema.safeParse(parseJson(entry.bytes));
    if (!parsed.success) throw damaged(`${name} is not readable`);
    return parsed.data;
  }

  /** Takes the pieces of a folder. @throws {BackupFileError} if one is missing */
  async *folder(folder: string): AsyncGenerator<Uint8Array> {
    for (let number = 1; ; number += 1) {
      const entry = await this.peek();
      if (number > 1 && entry?.name.startsWith(folder) !== true) return;
      const { name, bytes } = await this.take();
      if (name !== folder + pieceName(number))
        throw damaged(`it contains ${name} instead of ${folder}${pieceName(number)}`);
      yield bytes;
    }
  }

  /** Closes the source. */
  async close(): Promise<void> {
    await this.#source.return?.();
  }
}

/** Parses JSON; returns undefined if it is invalid. */
function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch {
    return undefined;
  }
}

async function* entriesOf(
  source: AsyncIterable<Uint8Array>,
  identities: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<Checked> {
  try {
    const archive = Readable.from(await decrypt(source, identities), { objectMode: false });
    // The iteration reports failures.
    const bytes = pipeline(archive, createGunzip(), () => {});
    const { readable, writable } = createTarDecoder({ strict: true });
    void pump(bytes, writable);
    for await (const entry of readable) yield await verify(entry);
  } catch (error) {
    if (signal.aborted || error instanceof BackupFileError || error instanceof CommandError) throw error;
    if (isSystemError(error)) throw error;
    throw damaged(error instanceof Error ? error.message : String(error));
  }
}

async function pump(bytes: AsyncIterable<Uint8Array>, archive: WritableStream<Uint8Array>): Promise<void> {
  const writer = archive.getWriter();
  try {
    for await (const chunk of bytes) await writer.write(chunk);
    await writer.close();
  } catch (error) {
    await writer.abort(error).catch(() => {});
  }
}

/** Returns whether the system caused an error, such as a missing file. */
const isSystemError = (error: unknown): boolean => error instanceof Error && "syscall" in error;

async function verify({ header, body }: ParsedTarEntry): Promise<Checked> {
  const { name, size, pax = {} } = header;
  if (size > pieceBytes) throw damaged(`${name} is larger than any entry of a backup`);
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  const sha256 = checksumOf(bytes);
  if (sha256 !== pax[checksumKey]) throw damaged(`the checksum of ${name} does not match`);
  return { name, bytes, type: pax[typeKey], sha256 };
}
