import { admin } from "@kb/core";
import { newId } from "@kb/db";
import type { Failure, Person, Reply } from "@kb/testing";
import type { Setting } from "./setting.ts";

/** Somebody who is logged in: asks by the name of the operation. */
export type AppCall = <Body = Failure>(name: string, input?: object) => Promise<Reply<Body>>;

/** Logs somebody in. */
export async function inApp(setting: Pick<Setting, "as" | "world">, person: Person): Promise<AppCall> {
  const client = setting.as(await setting.world.session(person));
  return (name, input = {}) => client.post(`/api/${name}`, input);
}

/** Somebody new in the world's team. */
export async function newPerson({ world }: Pick<Setting, "world">, group: string): Promise<Person> {
  const { service, teamId } = world;
  const email = `${newId()}@example.org`;
  await admin.createUser(service, { email, name: `New of ${group}`, group, team: teamId });
  const { key } = await admin.createApiKey(service, { userEmail: email, scopes: ["read", "write"] });
  const actor = await world.actorOf(key);
  return { id: actor.userId, email, name: actor.userName, key, actor };
}

/** The ids of the world's built-in groups. */
export async function groupIds({ world }: Pick<Setting, "world">): Promise<Record<string, string>> {
  const groups = await world.service.database.client.group.findMany({ where: { teamId: world.teamId } });
  return Object.fromEntries(groups.map((group) => [group.builtIn ?? group.name, group.id]));
}

/** The types and data of the events that happened while `run` ran. */
export async function eventsOf(
  { world }: Pick<Setting, "world">,
  run: () => Promise<unknown>,
): Promise<{ type: string; data: Record<string, unknown> }[]> {
  const { teamId } = world;
  const { event } = world.service.database.client;
  const last = await event.findFirst({ where: { teamId }, orderBy: { sequence: "desc" } });
  await run();
  const rows = await event.findMany({
    where: { teamId, sequence: { gt: last?.sequence ?? 0n } },
    orderBy: { sequence: "asc" },
  });
  return rows.map(({ type, data }) => ({ type, data: Object(data) }));
}
