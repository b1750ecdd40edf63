import { readFactorParts } from "@kb/auth";
import type { Preparation } from "../operation.ts";
import { requireFreshProof } from "../sessions/require-fresh-proof.ts";

/**
 * Whether a caller who typed nothing has passkeys and no app, and confirmed in the last 15 minutes that it is them: they have no code
 * to type but recovery codes, which they keep for the loss of their device.
 * @throws {ServiceError} `proof_required`
 */
export async function isProvenByPasskey({ service, actor }: Preparation, typed: string): Promise<boolean> {
  if (typed !== "") return false;
  const parts = await readFactorParts(service.database, actor);
  if (parts === null || parts.hasApp || parts.passkeys === 0) return false;
  requireFreshProof(actor, service.clock.now());
  return true;
}
