import { createHash, randomBytes } from "node:crypto";

/** The purpose of a link. A token for one purpose is unknown for every other. */
export type LinkPurpose =
  | "invitation"
  | "password_reset"
  | "setup"
  | "recovery"
  | "log_in"
  | "email_change_old"
  | "email_change_new";

/** Creates the token of a link: 32 random bytes, as its address holds them. */
export const createLinkToken = (): string => randomBytes(32).toString("base64url");

/** Whether the text has the form of a link's token: any other costs no look-up. */
export const isLinkToken = (text: string): boolean => /^[\w-]{43}$/.test(text);

/** Returns the hash under which a link's token is stored. It contains the purpose. */
export function hashLinkToken(purpose: LinkPurpose, token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash("sha256").update(`${purpose}:${token}`).digest());
}
