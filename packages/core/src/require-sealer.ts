import type { Sealer } from "@kb/auth";
import { ServiceError } from "./errors.ts";

/** Returns the sealer of the service. @throws {ServiceError} `unavailable` in a process without one. */
export function requireSealer(sealer: Sealer | undefined): Sealer {
  if (sealer !== undefined) return sealer;
  throw new ServiceError("unavailable", "This needs APP_SECRET to be set where the service runs.");
}
