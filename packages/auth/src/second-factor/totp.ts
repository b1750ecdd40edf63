import { randomBytes } from "node:crypto";
import { Secret, TOTP } from "otpauth";

const secretBytes = 20;
const periodSeconds = 30;
/** The parameters that every authenticator app knows (RFC 6238). */
const parameters = { algorithm: "SHA1", digits: 6, period: periodSeconds } as const;
/** The steps before and after the present one whose codes are accepted, for clocks that differ. */
const tolerance = 1;

/** Longer names make a QR code that cameras read badly. */
const maxNameLength = 40;

/** Creates the secret of an authenticator app: 160 bits, the length of its hash (RFC 4226 §4). */
export const createTotpSecret = (): Uint8Array<ArrayBuffer> => new Uint8Array(randomBytes(secretBytes));

/** Returns the secret as people type it into an app: base 32 in groups of four. */
export function totpSecretText(secret: Uint8Array<ArrayBuffer>): string {
  return secretOf(secret).base32.replace(/.{4}(?=.)/g, "$& ");
}

/** Returns the address that an app reads from a QR code. The app shows the names of the team and of the account. */
export function totpUri(secret: Uint8Array<ArrayBuffer>, { team, email }: { team: string; email: string }): string {
  const issuer = [...team].slice(0, maxNameLength).join("");
  return new TOTP({ ...parameters, issuer, label: email, secret: secretOf(secret) }).toString();
}

/**
 * Returns the time step of a typed code: the present one, the one before or the one after. Null for any other text. Spaces do
 * not count.
 */
export function findTotpStep(secret: Uint8Array<ArrayBuffer>, typed: string, now: Date): number | null {
  if (typed.length > 100) return null;
  const token = typed.replaceAll(/\s/g, "");
  if (!/^\d{6}$/.test(token)) return null;
  const timestamp = now.getTime();
  const difference = TOTP.validate({ ...parameters, token, secret: secretOf(secret), timestamp, window: tolerance });
  return difference === null ? null : TOTP.counter({ period: periodSeconds, timestamp }) + difference;
}

const secretOf = (secret: Uint8Array<ArrayBuffer>): Secret => new Secret({ buffer: new Uint8Array(secret).buffer });
