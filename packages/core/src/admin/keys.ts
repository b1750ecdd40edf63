import type { Scope } from "@kb/auth";
import { z } from "zod";
import type { Service } from "../context.ts";
import { invoke } from "../invoke.ts";
import { revokeApiKey as revokeKeyById } from "../keys/change.ts";
import { createApiKey as createOwnApiKey } from "../keys/create.ts";
import { systemActor } from "./actor.ts";
import { parseField } from "./fields.ts";
import { findCollections, findTeam } from "./find.ts";
import { findUser } from "./users.ts";

const Levels = z.record(z.string(), z.enum(["none", "read", "write"]));

/** The access of a restricted key: collections by id or name, documents by id. Everything else is `none`. */
const NamedRestrictions = z.strictObject({ collections: Levels.default({}), documents: Levels.default({}) });

/** The input of `createApiKey`. */
export type NewApiKey = {
  userEmail: string;
  scopes: readonly string[];
  name?: string | undefined;
  expiresAt?: Date | undefined;
  /** Checked against `NamedRestrictions`. */
  restrictions?: unknown;
};

/** An API key with the key itself. */
export type CreatedApiKey = { id: string; key: string; scopes: Scope[]; restricted: boolean; expiresAt: string | null };

/**
 * Creates an API key of a user. Only this answer contains the key.
 * @throws {ServiceError} `validation_error`, `conflict` for a suspended user, `not_found` for the user or for a
 * restriction to something that the user may not see.
 */
export async function createApiKey(service: Service, input: NewApiKey): Promise<CreatedApiKey> {
  const { teamId, id: userId } = await findUser(service, input.userEmail);
  const restrictions = input.restrictions === undefined ? null : await byId(service, teamId, input.restrictions);
  const created = await invoke(service, createOwnApiKey, await systemActor(service, teamId, userId), {
    name: input.name ?? "Command line",
    scopes: input.scopes,
    expiresAt: input.expiresAt?.toISOString() ?? null,
    restrictions,
  });
  const { id, key, scopes, restricted, expiresAt } = created;
  return { id, key, scopes, restricted, expiresAt };
}

/**
 * Revokes an API key of a team: it is refused from the next request on. A repeat keeps the time of the first call.
 * @throws {ServiceError} `not_found`, `validation_error` for another text than an id.
 */
export async function revokeApiKey(
  service: Service,
  { id, team }: { readonly id: string; readonly team?: string | undefined },
): Promise<{ id: string; name: string; revokedAt: string | null }> {
  const { id: teamId } = await findTeam(service, team);
  const { name, revokedAt } = await invoke(service, revokeKeyById, await systemActor(service, teamId), { id });
  return { id, name, revokedAt };
}

async function byId(service: Service, teamId: string, raw: unknown): Promise<z.output<typeof NamedRestrictions>> {
  const { collections, documents } = parseField("restrictions", NamedRestrictions, raw);
  const found = await findCollections(service, teamId, Object.keys(collections));
  const entries = Object.entries(collections).map(([given, level]) => [found.get(given)?.id ?? given, level]);
  return { collections: Object.fromEntries(entries), documents };
}
