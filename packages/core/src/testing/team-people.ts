import { newId } from "@kb/db";
import { admin } from "../index.ts";
import { callerOf, type TestCaller } from "./caller.ts";
import type { Person, World } from "./world.ts";

/** Runs operations as a person who is logged in to the app. */
export async function sessionCallerOf(world: World, person: Person): Promise<TestCaller> {
  return callerOf(world, await world.session(person));
}

/** Adds a person to the world's team. */
export async function addPerson(world: World, group: string): Promise<Person> {
  const { service, teamId } = world;
  const email = `${newId()}@example.org`;
  await admin.createUser(service, { email, name: `New of ${group}`, group, team: teamId });
  const { key } = await admin.createApiKey(service, { userEmail: email, scopes: ["read", "write"] });
  const actor = await world.actorOf(key);
  return { id: actor.userId, email, name: actor.userName, key, actor };
}

/** Returns the ids of the groups of the world's team, by `builtIn` or else by name. */
export async function groupIdsOf({ service, teamId }: World): Promise<Record<string, string>> {
  const groups = await service.database.client.group.findMany({ where: { teamId } });
  return Object.fromEntries(groups.map((group) => [group.builtIn ?? group.name, group.id]));
}

/** Returns the types and data of the team's events that were written while `run` ran. */
export async function eventsDuring(
  { service, teamId }: World,
  run: () => Promise<unknown>,
): Promise<{ type: string; data: Record<string, unknown> }[]> {
  const { event } = service.database.client;
  const last = await event.findFirst({ where: { teamId }, orderBy: { sequence: "desc" } });
  await run();
  const rows = await event.findMany({
    where: { teamId, sequence: { gt: last?.sequence ?? 0n } },
    orderBy: { sequence: "asc" },
  });
  return rows.map(({ type, data }) => ({ type, data: Object(data) }));
}
