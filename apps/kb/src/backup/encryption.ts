import { readFile } from "node:fs/promises";
import { iterate } from "@kb/storage";
import { CommandError } from "../failure.ts";
import { BackupFileError } from "./format.ts";

// Backups are encrypted in the format of age (https://age-encryption.org/v1): the server that writes them knows only public keys,
// and people can open them with the program `age` if this one is lost. Each piece of 64 KB is authenticated, and so is the end.

const magic = Buffer.from("age-encryption.org/v1\n");

/**
 * Encrypts a stream for the owners of public keys.
 * @throws {CommandError} `usage` for a text that is not a public key of age
 */
export async function encrypt(
  bytes: AsyncIterable<Uint8Array>,
  recipients: readonly string[],
): Promise<AsyncIterable<Uint8Array>> {
  const encrypter = await encrypterFor(recipients);
  return iterate(await encrypter.encrypt(toWeb(bytes)));
}

/** Checks public keys. @throws {CommandError} `usage` for one that is mistyped */
export async function requireRecipients(recipients: readonly string[]): Promise<void> {
  await encrypterFor(recipients);
}

async function encrypterFor(recipients: readonly string[]) {
  const { Encrypter } = await import("age-encryption");
  const encrypter = new Encrypter();
  for (const [index, recipient] of recipients.entries()) {
    try {
      encrypter.addRecipient(recipient);
    } catch (error) {
      // Does not repeat the text, which may be a private key.
      const message = `The recipient ${index + 1} is not a public key of age, such as age1…: \`age-keygen\` prints it.`;
      throw new CommandError("usage", message, { cause: error });
    }
  }
  return encrypter;
}

/** Reads the private keys of a file of `age-keygen`. @throws {CommandError} `usage` */
export async function readIdentities(path: string): Promise<string[]> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    throw new CommandError("usage", `The file ${path} of the private key cannot be read.`, { cause: error });
  });
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const keys = lines.filter((line) => line !== "" && !line.startsWith("#"));
  const { Decrypter } = await import("age-encryption");
  try {
    const decrypter = new Decrypter();
    for (const key of keys) decrypter.addIdentity(key);
    if (keys.length > 0) return keys;
  } catch {
    // Explained below, without the text of the file.
  }
  throw new CommandError("usage", `The file ${path} contains no private key of age, such as AGE-SECRET-KEY-1….`);
}

/**
 * Returns the bytes of a backup, decrypted if they are encrypted.
 * @throws {BackupFileError} if none of the identities opens it
 */
export async function decrypt(
  bytes: AsyncIterable<Uint8Array>,
  identities: readonly string[],
): Promise<AsyncIterable<Uint8Array>> {
  const { head, all } = await peek(bytes, magic.byteLength);
  if (!head.equals(magic)) return all;
  if (identities.length === 0)
    throw new BackupFileError("is encrypted: name the file of its private key with --identity", { isEncrypted: true });
  const { Decrypter } = await import("age-encryption");
  const decrypter = new Decrypter();
  for (const identity of identities) decrypter.addIdentity(identity);
  try {
    return authenticated(iterate(await decrypter.decrypt(toWeb(all))));
  } catch (error) {
    if (isOfSource(error)) throw error;
    if (error instanceof Error && error.message.startsWith("no identity matched"))
      throw encrypted("is encrypted for another key than those of --identity", error);
    throw encrypted("is damaged: its header cannot be read", error);
  }
}

async function* authenticated(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes;
  } catch (error) {
    throw isOfSource(error) ? error : encrypted("is damaged: it was changed or cut off", error);
  }
}

/** Returns whether the source of the bytes failed, such as a disk or a connection. */
const isOfSource = (error: unknown): boolean =>
  error instanceof CommandError || (error instanceof Error && ("syscall" in error || error.name === "AbortError"));

const encrypted = (message: string, cause: unknown): BackupFileError =>
  new BackupFileError(message, { cause, isEncrypted: true });

/** Reads the first bytes of a stream; `all` begins with them again. */
async function peek(
  bytes: AsyncIterable<Uint8Array>,
  length: number,
): Promise<{ head: Buffer; all: AsyncIterable<Uint8Array> }> {
  const source = bytes[Symbol.asyncIterator]();
  const first: Uint8Array[] = [];
  let size = 0;
  while (size < length) {
    const { done, value } = await source.next();
    if (done === true) break;
    first.push(value);
    size += value.byteLength;
  }
  return { head: Buffer.concat(first).subarray(0, length), all: continued(first, source) };
}

async function* continued(first: readonly Uint8Array[], rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* first;
    for (;;) {
      const { done, value } = await rest.next();
      if (done === true) return;
      yield value;
    }
  } finally {
    await rest.return?.();
  }
}

function toWeb(bytes: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const source = bytes[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { done, value } = await source.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    cancel: async () => {
      await source.return?.();
    },
  });
}
