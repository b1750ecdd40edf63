import { createHmac } from "node:crypto";
import { deriveKey } from "../secrets.ts";

/** Under what the tokens and codes of apps are kept: the database alone neither holds nor makes one. */
export type OauthKeys = {
  /** The HMAC-SHA-256 under which a new token is stored. */
  hash(token: string): Uint8Array<ArrayBuffer>;
  /** Under which it may be stored: the present secret's, and the previous one's while it is named. */
  hashes(token: string): readonly Uint8Array<ArrayBuffer>[];
};

/** The keys of an installation. After a rotation tokens of the `previous` secret are good until they run out. */
export function oauthKeys({ secret, previous }: { secret: string; previous?: string | undefined }): OauthKeys {
  const present = deriveKey(secret, "oauth tokens");
  const all = previous === undefined ? [present] : [present, deriveKey(previous, "oauth tokens")];
  const under = (key: Uint8Array, token: string) => new Uint8Array(createHmac("sha256", key).update(token).digest());
  return {
    hash: (token) => under(present, token),
    hashes: (token) => all.map((key) => under(key, token)),
  };
}
