import type { Actor, Scope } from "@kb/auth";
import { ServiceError } from "./errors.ts";

/** The edge of an operation that has two: the app, and REST with an API key of scope `admin`. */
export type Edge = { readonly name: string; readonly scope: Scope; readonly sessionOnly?: true };

/**
 * Refuses restricted keys what is about the whole team: they see only what they can read.
 * @throws {ServiceError} `forbidden`
 */
export function requireWholeTeam(actor: Actor, what: string): void {
  if (actor.restrictedKeyId === null) return;
  throw new ServiceError("forbidden", `A restricted key cannot ${what}.`);
}
