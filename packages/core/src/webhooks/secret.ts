import { randomBytes } from "node:crypto";
import type { Sealer } from "@kb/auth";
import { requireSealer } from "../require-sealer.ts";

/** The time after a rotation during which the old secret signs too. */
export const secretOverlapMs = 24 * 60 * 60 * 1000;

const secretBytes = 32;
const prefix = "whsec_";

/** Creates a signing secret: as text in Standard Webhooks 1.0 format (`whsec_` and base64), and sealed for storage. */
export function newSecret(sealer: Sealer | undefined): { secret: string; sealed: Uint8Array<ArrayBuffer> } {
  const bytes = new Uint8Array(randomBytes(secretBytes));
  const sealed = requireSealer(sealer).seal(bytes);
  return { secret: `${prefix}${Buffer.from(bytes).toString("base64")}`, sealed };
}
