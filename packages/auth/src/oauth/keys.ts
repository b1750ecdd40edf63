import { createHmac } from "node:crypto";
import { deriveKey } from "../secrets.ts";

/** Hashes tokens and codes of apps under a secret: the database neither contains one nor suffices to produce one. */
export type OauthKeys = {
  /** Returns the HMAC-SHA-256 under which a new token is stored. */
  hash(token: string): Uint8Array<ArrayBuffer>;
  /** Returns the hashes under which a token may be stored: of the current secret, and of the previous one if it is set. */
  hashes(token: string): readonly Uint8Array<ArrayBuffer>[];
};

/** Creates the keys of an installation. After a rotation, tokens of the `previous` secret are valid until they expire. */
export function oauthKeys({ secret, previous }: { secret: string; previous?: string | undefined }): OauthKeys {
  const current = deriveKey(secret, "oauth tokens");
  const all = previous === undefined ? [current] : [current, deriveKey(previous, "oauth tokens")];
  const under = (key: Uint8Array, token: string) => new Uint8Array(createHmac("sha256", key).update(token).digest());
  return {
    hash: (token) => under(current, token),
    hashes: (token) => all.map((key) => under(key, token)),
  };
}
