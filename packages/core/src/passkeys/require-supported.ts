import { supportsPasskeys } from "@kb/auth";
import { ServiceError } from "../errors.ts";

/** @throws {ServiceError} `conflict` where browsers offer no passkeys at the address of the installation */
export function requirePasskeysSupported(appUrl: string): void {
  if (supportsPasskeys(appUrl)) return;
  const message = `Browsers offer no passkeys at ${appUrl}. They need https and a host name: set APP_URL to such an address.`;
  throw new ServiceError("conflict", message);
}
