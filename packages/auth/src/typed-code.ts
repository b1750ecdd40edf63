import { randomBytes } from "node:crypto";
import { hashLinkToken } from "./link-token.ts";

/** Crockford's base 32: without letters that look like digits. */
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const length = 16;

/** Creates a code that people type, such as that of the first start: 80 random bits as four groups of four characters. */
export function createTypedCode(): string {
  const characters = Array.from(randomBytes(length), (byte) => alphabet[byte % alphabet.length]).join("");
  return characters.replace(/.{4}(?=.)/g, "$&-");
}

/** Returns the hash under which a code is stored; null for a text that cannot be one. Case, spaces and hyphens do not count. */
export function hashTypedCode(purpose: "setup" | "recovery", typed: string): Uint8Array<ArrayBuffer> | null {
  if (typed.length > 100) return null;
  const letters = typed.toUpperCase().replace(/[\s-]/g, "");
  const code = letters.replaceAll("O", "0").replace(/[IL]/g, "1");
  const isCode = code.length === length && [...code].every((character) => alphabet.includes(character));
  return isCode ? hashLinkToken(purpose, code) : null;
}
