import { randomBytes } from "node:crypto";
import type { Sealer } from "@kb/auth";
import { ServiceError } from "../errors.ts";

/** After a rotation the old secret signs beside the new one for this long. */
export const secretOverlapMs = 24 * 60 * 60 * 1000;

const secretBytes = 32;
const prefix = "whsec_";

/** A new signing secret, as Standard Webhooks 1.0 writes it (`whsec_` and base64), and as it is stored. */
export function newSecret(sealer: Sealer | undefined): { secret: string; sealed: Uint8Array<ArrayBuffer> } {
  const bytes = new Uint8Array(randomBytes(secretBytes));
  const sealed = requireSealer(sealer).seal(bytes);
  return { secret: `${prefix}${Buffer.from(bytes).toString("base64")}`, sealed };
}

function requireSealer(sealer: Sealer | undefined): Sealer {
  if (sealer !== undefined) return sealer;
  throw new ServiceError("unavailable", "Webhooks need APP_SECRET to be set where the service runs.");
}
