import { Secret, TOTP } from "otpauth";

/** Returns what an authenticator app shows at a time; `secret` is the text that people type into it. */
export function totpCode(secret: string, at: Date): string {
  return new TOTP({ secret: Secret.fromBase32(secret.replaceAll(" ", "")) }).generate({ timestamp: at.getTime() });
}
