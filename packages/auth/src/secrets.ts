import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";

/** Derives a key of 32 bytes for one purpose from the secret of the installation (HKDF-SHA-256, RFC 5869). */
export function deriveKey(secret: string, purpose: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(hkdfSync("sha256", secret, "", `kb:${purpose}`, 32));
}

/** Compares two texts in a time that does not reveal where they differ. Only their lengths are no secret. */
export function isSameSecret(expected: string, received: string): boolean {
  const expectedBytes = Buffer.from(expected);
  const receivedBytes = Buffer.from(received);
  return receivedBytes.length === expectedBytes.length && timingSafeEqual(receivedBytes, expectedBytes);
}

/** Encrypts values that must be read again, such as signing secrets of webhooks, so that the database does not reveal them. */
export type Sealer = {
  seal(plain: Uint8Array): Uint8Array<ArrayBuffer>;
  /** @throws {Error} for a value that was sealed under another secret or purpose, or was altered. */
  open(sealed: Uint8Array): Uint8Array<ArrayBuffer>;
};

const nonceBytes = 12;
const tagBytes = 16;

/**
 * Creates a sealer that uses AES-256-GCM: nonce, tag, ciphertext. After a change of the secret, the `previous` one still
 * opens the values that were sealed under it.
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
