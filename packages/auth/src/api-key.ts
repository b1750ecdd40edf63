import { hash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const secretLength = 30;
const checksumLength = 6;

/** `kb_` for the API keys of users, `kbc_` for the tokens of publishing channels. */
export type TokenPrefix = "kb_" | "kbc_";

/** The stored form of a token: enough to find and display it, not enough to use it. */
export type StoredToken = { hash: Uint8Array<ArrayBuffer>; prefix: string; suffix: string };

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = "";
  for (let index = 0; index < checksumLength; index += 1) {
    digits = alphabet.charAt(rest % alphabet.length) + digits;
    rest = Math.floor(rest / alphabet.length);
  }
  return digits;
}

/** Creates a token: the prefix, 30 random base62 characters (178 bits), and a CRC32 checksum in 6. */
export function makeToken(prefix: TokenPrefix): string {
  let token: string = prefix;
  for (let index = 0; index < secretLength; index += 1) token += alphabet.charAt(randomInt(alphabet.length));
  return token + checksum(token);
}

/** Whether the text has the form of a token and its checksum; typos and other strings cost no look-up. */
export function isWellFormedToken(prefix: TokenPrefix, text: string): boolean {
  if (text.length !== prefix.length + secretLength + checksumLength || !text.startsWith(prefix)) return false;
  const body = text.slice(0, -checksumLength);
  return /^[0-9A-Za-z]+$/.test(text.slice(prefix.length)) && checksum(body) === text.slice(-checksumLength);
}

/** Returns the SHA-256 under which a token is stored. A plain hash is enough: tokens are random. */
export function hashToken(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(hash("sha256", token, "buffer"));
}

/** Returns the stored form: the hash, the first 8 and the last 4 characters. */
export function storedToken(token: string): StoredToken {
  return { hash: hashToken(token), prefix: token.slice(0, 8), suffix: token.slice(-4) };
}
