import type { Actor } from "@kb/auth";
import { ServiceError } from "../errors.ts";

/** Returns the session of the caller. @throws {ServiceError} `forbidden` for a caller with another credential. */
export function requireSession(actor: Actor): NonNullable<Actor["credential"]["session"]> {
  const { session } = actor.credential;
  if (session === undefined) throw new ServiceError("forbidden", "Only a person who is logged in has a session.");
  return session;
}
