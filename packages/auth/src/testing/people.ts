import { type Database, newId } from "@kb/db";
import {
  type Actor,
  authenticateApiKey,
  type BuiltInGroup,
  builtInGroups,
  createSession,
  csrfTokenOf,
  makeToken,
  storedToken,
} from "../index.ts";

/** A user, with the actor that an API key for reading and writing makes of them. */
export type Person = { readonly id: string; readonly email: string; readonly name: string; readonly actor: Actor };

/** A team with one user in each built-in group, and an admin of another team. */
export type People = {
  readonly teamId: string;
  readonly people: Readonly<Record<"admin" | "editor" | "member" | "viewer" | "outsider", Person>>;
  /** Logs a person in. */
  session(person: Person): Promise<{ readonly id: string; readonly token: string; readonly csrf: string }>;
};

type Clock = { now(): Date };

/** Writes two teams and their people, without any operation of the domain. */
export async function createPeople(database: Database, clock: Clock): Promise<People> {
  const teamId = newId();
  const otherTeamId = newId();
  const add = (team: string, group: BuiltInGroup, email: string) => addPerson(database, clock, { team, group, email });
  await database.client.team.createMany({ data: [teamId, otherTeamId].map((id) => ({ id, name: "Team" })) });
  return {
    teamId,
    people: {
      outsider: await add(otherTeamId, "admins", "outsider@example.org"),
      admin: await add(teamId, "admins", "admin@example.org"),
      editor: await add(teamId, "editors", "editor@example.org"),
      member: await add(teamId, "members", "member@example.org"),
      viewer: await add(teamId, "viewers", "viewer@example.org"),
    },
    session: async ({ id: userId, actor: { teamId } }) => {
      const created = await createSession(database, { teamId, userId }, clock.now());
      return { ...created, csrf: csrfTokenOf(created.token) };
    },
  };
}

type NewPerson = { readonly team: string; readonly group: BuiltInGroup; readonly email: string };

async function addPerson(
  database: Database,
  clock: Clock,
  { team: teamId, group: builtIn, email }: NewPerson,
): Promise<Person> {
  const { client } = database;
  const id = newId();
  const groupId = newId();
  const createdAt = clock.now();
  const { name, capabilities } = builtInGroups[builtIn];
  await client.user.create({ data: { teamId, id, name: `One of ${name}`, email, createdAt } });
  await client.group.create({ data: { teamId, id: groupId, name, builtIn, capabilities: [...capabilities] } });
  await client.membership.create({ data: { teamId, userId: id, groupId } });
  const key = makeToken("kb_");
  const scopes = ["read", "write"];
  await client.apiKey.create({ data: { teamId, id: newId(), userId: id, name: "Key", scopes, ...storedToken(key) } });
  const actor = await authenticateApiKey(database, key, createdAt);
  if (actor === null) throw new Error("the key is not valid");
  return { id, email, name: `One of ${name}`, actor };
}
