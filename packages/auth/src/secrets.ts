import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

/** A key of 32 bytes for one purpose, from the secret of the installation (HKDF-SHA-256, RFC 5869). */
export function deriveKey(secret: string, purpose: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(hkdfSync("sha256", secret, "", `kb:${purpose}`, 32));
}

/** Encrypts what has to be read again, such as the secrets that sign webhooks: the database alone reveals nothing. */
export type Sealer = {
  seal(plain: Uint8Array): Uint8Array<ArrayBuffer>;
  /** @throws {Error} for what was sealed under another secret or purpose, or was changed since. */
  open(sealed: Uint8Array): Uint8Array<ArrayBuffer>;
};

const nonceBytes = 12;
const tagBytes = 16;

/**
 * Seals with AES-256-GCM: nonce, tag, ciphertext. After a change of the secret the `previous` one opens what was sealed
 * under it; nothing more is sealed under that.
 */
export function sealer(secret: string, purpose: string, previous?: string): Sealer {
  const present = sealerOf(deriveKey(secret, purpose));
  if (previous === undefined) return present;
  const before = sealerOf(deriveKey(previous, purpose));
  return {
    seal: present.seal,
    open: (sealed) => {
      try {
        return present.open(sealed);
      } catch {
        return before.open(sealed);
      }
    },
  };
}

function sealerOf(key: Uint8Array<ArrayBuffer>): Sealer {
  return {
    seal(plain) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv("aes-256-gcm", key, nonce);
      const body = Buffer.concat([cipher.update(plain), cipher.final()]);
      return new Uint8Array(Buffer.concat([nonce, cipher.getAuthTag(), body]));
    },
    open(sealed) {
      const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, nonceBytes));
      decipher.setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes));
      const body = sealed.subarray(nonceBytes + tagBytes);
      return new Uint8Array(Buffer.concat([decipher.update(body), decipher.final()]));
    },
  };
}
