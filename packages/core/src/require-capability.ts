import { type Actor, type Capability, holds } from "@kb/auth";
import { ServiceError } from "./errors.ts";

/**
 * Requires that the caller holds at least one of the capabilities. Null stands for a user who is no longer active.
 * @throws {ServiceError} `forbidden`
 */
export function requireCapability(
  actor: Actor | null,
  ...accepted: readonly [Capability, ...Capability[]]
): asserts actor is Actor {
  if (actor !== null && accepted.some((capability) => holds(actor, capability))) return;
  const names = accepted.map((capability) => `\`${capability}\``).join(" or ");
  throw new ServiceError("forbidden", `This needs the permission ${names}.`);
}
