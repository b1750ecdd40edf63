import { isUuid, type Statement, sql } from "@kb/db";
import type { Service } from "../context.ts";
import { ServiceError } from "../errors.ts";
import { normalizeTagName } from "../schema/text.ts";
import { requireOne } from "./fields.ts";

/** A team as the command line shows it. */
export type TeamSummary = { id: string; name: string; mcpEnabled: boolean };

type Named = { id: string; name: string };

/**
 * Finds a team by id or name; without either, the only team of the installation.
 * @throws {ServiceError} `not_found`, or `conflict` when several teams match.
 */
export async function findTeam(service: Service, given: string | undefined): Promise<TeamSummary> {
  if (given !== undefined) {
    const named = isUuid(given) ? sql`id = ${given}` : sql`name = ${given}`;
    return requireOne("team", given, await teams(service, sql`WHERE ${named} LIMIT 10`));
  }
  const [only, another] = await teams(service, sql`ORDER BY "createdAt" LIMIT 2`);
  if (only === undefined) {
    throw new ServiceError("not_found", "There is no team yet. Create one with `kb team create`, or run `kb start`.");
  }
  if (another === undefined) return only;
  throw new ServiceError("conflict", "There are several teams. Name one with --team (name or id).");
}

// Commands find teams, people and collections by raw statements: loading Prisma's client takes longer than all else that they do.
const teams = (service: Service, which: Statement): Promise<TeamSummary[]> =>
  service.database.beforeTeam.rows<TeamSummary>(sql`SELECT id, name, "mcpEnabled" FROM teams ${which}`);

/** Returns how many teams the installation has. */
export async function countTeams({ database }: Pick<Service, "database">): Promise<number> {
  const [row] = await database.acrossTeams.rows<{ count: number }>(sql`SELECT COUNT(*) AS count FROM teams`);
  return row?.count ?? 0;
}

/** Finds a group of a team by its name, in any case. @throws {ServiceError} `not_found` */
export async function findGroup({ database }: Service, teamId: string, given: string): Promise<Named> {
  const groups = await database.rows<Named>(sql`SELECT id, name FROM groups WHERE "teamId" = ${teamId} ORDER BY id`);
  const wanted = given.trim().toLowerCase();
  const found = groups.find((group) => group.name.toLowerCase() === wanted);
  if (found !== undefined) return found;
  const names = groups.map((group) => group.name).join(", ");
  throw new ServiceError("not_found", `There is no group "${given}" in this team. There are: ${names}.`);
}

/**
 * Finds a collection of a team by its id or exact name, whoever may see it.
 * @throws {ServiceError} `not_found`, or `conflict` when several have the name.
 */
export async function findCollection(service: Service, teamId: string, given: string): Promise<Named> {
  return requireOne("collection", given, await collectionsLike(service, teamId, given));
}

/**
 * Like `findCollection`, but returns null for a name that no collection has yet.
 * @throws {ServiceError} `not_found` for an unknown id, `conflict` when several have the name.
 */
export async function findCollectionOrNull(service: Service, teamId: string, given: string): Promise<Named | null> {
  const rows = await collectionsLike(service, teamId, given);
  return rows.length === 0 && !isUuid(given) ? null : requireOne("collection", given, rows);
}

function collectionsLike({ database }: Service, teamId: string, given: string): Promise<Named[]> {
  const named = isUuid(given) ? sql`id = ${given.toLowerCase()}` : sql`name = ${given.trim()}`;
  return database.rows<Named>(sql`SELECT id, name FROM collections
    WHERE "teamId" = ${teamId} AND "deletedAt" IS NULL AND ${named} ORDER BY "createdAt" LIMIT 10`);
}

/**
 * Finds several collections. The keys of the result are the ids or names that were given.
 * @throws {ServiceError} as `findCollection`; `validation_error` for a collection that is named twice.
 */
export async function findCollections(
  service: Service,
  teamId: string,
  given: readonly string[],
): Promise<Map<string, Named>> {
  const found = new Map<string, Named>();
  const ids = new Set<string>();
  for (const name of given) {
    const collection = await findCollection(service, teamId, name);
    if (ids.has(collection.id)) {
      throw new ServiceError("validation_error", `The collection "${collection.name}" is named more than once.`);
    }
    ids.add(collection.id);
    found.set(name, collection);
  }
  return found;
}

/** Finds an unrestricted tag by its name. @throws {ServiceError} `not_found` */
export async function findTag(service: Service, teamId: string, given: string): Promise<Named> {
  const [tag] = await service.database.rows<Named>(sql`SELECT id, name FROM tags
    WHERE "teamId" = ${teamId} AND NOT restricted AND name = ${normalizeTagName(given)}`);
  if (tag === undefined) throw new ServiceError("not_found", `There is no tag "${given}".`);
  return tag;
}
