import { createHash } from "node:crypto";
import type { Actor } from "@kb/auth";
import { type IdempotentCall, invalid } from "@kb/core";

/**
 * Reads `Idempotency-Key`. The hash covers everything that identifies the request, including the credential: a stored
 * answer must not reach a narrower key of the same user.
 * @throws {ServiceError} `validation_error` for a key that is not 1 to 255 characters long.
 */
export function readIdempotencyKey(request: Request, actor: Actor, body: Uint8Array): IdempotentCall | undefined {
  const key = request.headers.get("Idempotency-Key");
  if (key === null) return undefined;
  if (key.length < 1 || key.length > 255) throw invalid("Idempotency-Key", "Must be 1 to 255 characters");
  const { pathname, search } = new URL(request.url);
  const hash = createHash("sha256")
    .update(JSON.stringify([request.method, pathname, search, actor.credential.id]))
    .update(body)
    .digest();
  return { key, requestHash: new Uint8Array(hash) };
}
