import { isIP } from "node:net";

/** The site as passkeys know it (WebAuthn §5.1.2). */
export type RelyingParty = { readonly origin: string; readonly rpId: string };

/** Returns the site of an installation: passkeys are bound to the host of `APP_URL`. */
export function relyingPartyOf(appUrl: string): RelyingParty {
  const { origin, hostname } = new URL(appUrl);
  return { origin, rpId: hostname };
}

/** Whether browsers offer passkeys at this address: they need a name, not a number, and https except on this computer. */
export function supportsPasskeys(appUrl: string): boolean {
  const { protocol, hostname } = new URL(appUrl);
  if (isIP(hostname.replaceAll(/[[\]]/g, "")) !== 0) return false;
  return protocol === "https:" || hostname === "localhost" || hostname.endsWith(".localhost");
}
