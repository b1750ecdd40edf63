import { hashPassword, type Level, makeToken, type Scope } from "@kb/auth";
import { newId, sql } from "@kb/db";
import { admin } from "../../index.ts";
import { connectApp } from "../connected-app.ts";
import type { Credential } from "../credential.ts";
import type { Person, World } from "../world.ts";
import { type Column, customCapabilities } from "./columns.ts";

/** A restricted key of the matrix, and its own entry for the subject, if it has one. */
export type Restricted = { readonly id: string; readonly document: Level | null };

/** Every kind of credential, and the restricted keys whose entry for the subject has to follow it. */
export type Credentials = {
  readonly of: Readonly<Record<Column, Credential>>;
  readonly restricted: readonly Restricted[];
  /** The channel that publishes the subjects. */
  readonly channelId: string;
};

/** Password of every user in the matrix. */
export const passwordOfAll = "a password for everybody";

type Places = { readonly subject: string; readonly elsewhere: string };

/** Makes every kind of credential of a world; `subject` is the collection in which the subjects stand. */
export async function makeCredentials(world: World, places: Places): Promise<Credentials> {
  const { people } = world;
  const { keys, restricted } = await restrictedKeys(world, places);
  const channels = await channelTokens(world, places);
  return {
    restricted,
    channelId: channels.channelId,
    of: {
      ...(await badCredentials(world)),
      readKey: await world.key(people.editor, ["read"]),
      writeKey: await world.key(people.editor, ["write"]),
      everydayKey: await world.key(people.editor, ["read", "write"]),
      adminKey: await world.key(people.admin, ["admin"]),
      ...keys,
      ...channels.tokens,
      ...(await sessions(world)),
      foreignKey: people.outsider.key,
      mcpOff: await world.key(people.editor, ["read", "write"]),
      ...(await apps(world)),
    },
  };
}

/** Creates tokens of apps for an editor whose grants no case of the matrix ends. */
async function apps(world: World): Promise<Record<"readApp" | "writeApp", Credential>> {
  const { service, teamId, people } = world;
  await admin.setMcp(service, teamId, true);
  const email = `connects-${teamId.slice(-12)}@example.org`;
  const { id, name } = await admin.createUser(service, { email, name: "Connects", group: "Editors", team: teamId });
  const person = { ...people.editor, id, email, name };
  const reading = await connectApp(world, person, { scopes: ["read"] });
  const writing = await connectApp(world, person, { scopes: ["read", "write"] });
  return { readApp: reading.accessToken, writeApp: writing.accessToken };
}

type Bad = "none" | "garbage" | "wrongPrefix" | "badChecksum" | "unknown" | "expired" | "revoked" | "suspended";

/** Creates credentials that differ from the editor's valid key in exactly one respect. */
async function badCredentials(world: World): Promise<Record<Bad, Credential>> {
  const { people, teamId, service } = world;
  const { client } = service.database;
  const scopes: readonly Scope[] = ["read", "write"];
  const good = people.editor.key;
  const lastOther = good.endsWith("0") ? "1" : "0";
  const past = { expiresAt: new Date(service.clock.now().getTime() - 1000) };
  const expired = await admin.createApiKey(service, { userEmail: people.editor.email, scopes });
  await client.apiKey.update({ where: { teamId_id: { teamId, id: expired.id } }, data: past });
  const revoked = await admin.createApiKey(service, { userEmail: people.editor.email, scopes });
  const now = service.clock.now();
  await client.apiKey.update({ where: { teamId_id: { teamId, id: revoked.id } }, data: { revokedAt: now } });
  return {
    none: null,
    garbage: "nothing-like-a-key",
    wrongPrefix: `kx_${good.slice(3)}`,
    badChecksum: good.slice(0, -1) + lastOther,
    unknown: makeToken("kb_"),
    expired: expired.key,
    revoked: revoked.key,
    suspended: await suspendedKey(world),
  };
}

async function suspendedKey({ service, teamId }: World): Promise<string> {
  const email = `suspended-${teamId.slice(-12)}@example.org`;
  await admin.createUser(service, { email, name: "Suspended", group: "Editors", team: teamId });
  const { key } = await admin.createApiKey(service, { userEmail: email, scopes: ["read", "write"] });
  await admin.suspendUser(service, email);
  return key;
}

type RestrictedColumn =
  | "restrictedNone"
  | "restrictedRead"
  | "restrictedWrite"
  | "upToRead"
  | "upToWrite"
  | "downToRead"
  | "downToNone";

/** Levels that each restricted key allows in the subject's collection, and for the subject itself. */
const restrictions: Readonly<Record<RestrictedColumn, readonly ["none" | "read" | "write", Level | null]>> = {
  restrictedNone: ["none", null],
  restrictedRead: ["read", null],
  restrictedWrite: ["write", null],
  upToRead: ["none", "read"],
  upToWrite: ["read", "write"],
  downToRead: ["write", "read"],
  downToNone: ["write", "none"],
};

async function restrictedKeys({ service, people }: World, { subject, elsewhere }: Places) {
  const made = await Promise.all(
    Object.entries(restrictions).map(async ([column, [level, document]]) => {
      const { id, key } = await admin.createApiKey(service, {
        userEmail: people.editor.email,
        scopes: ["read", "write"],
        restrictions: { collections: { [subject]: level, [elsewhere]: "write" } },
      });
      return { column, key, restricted: { id, document } };
    }),
  );
  const keys = Object.fromEntries(made.map(({ column, key }) => [column, key]));
  return { keys: asRestricted(keys), restricted: made.map(({ restricted }) => restricted) };
}

/** The keys were made from the entries of `restrictions`: there is one for each. */
function asRestricted(keys: object): Record<RestrictedColumn, string> {
  return keys as Record<RestrictedColumn, string>;
}

/** Creates a channel that publishes the subject's collection, and one that does not. */
async function channelTokens({ service, teamId }: World, { subject, elsewhere }: Places) {
  const make = (name: string, collection: string) =>
    admin.createChannel(service, { name, collections: [collection], tags: [], team: teamId });
  const own = await make("Of the subject", subject);
  const other = await make("Of another", elsewhere);
  return { channelId: own.id, tokens: { channelToken: own.token, otherChannelToken: other.token } };
}

async function sessions(world: World) {
  const { people, service } = world;
  const steward = await personOfOwnGroup(world);
  // Set before the log-ins, because a password change ends sessions.
  const hash = await hashPassword(passwordOfAll);
  const teams = [world.teamId, people.outsider.actor.teamId];
  await service.database.acrossTeams.execute(
    sql`UPDATE users SET "passwordHash" = ${hash} WHERE "teamId" = ANY(${teams}::uuid[])`,
  );
  return {
    adminSession: await world.session(people.admin),
    editorSession: await world.session(people.editor),
    memberSession: await world.session(people.member),
    viewerSession: await world.session(people.viewer),
    customSession: await world.session(steward),
    foreignSession: await world.session(people.outsider),
  };
}

/** Creates a user whose only group is a custom group of the team. */
async function personOfOwnGroup({ service, teamId, actorOf }: World): Promise<Person> {
  const group = { teamId, id: newId(), name: "Stewards", capabilities: [...customCapabilities] };
  await service.database.client.group.create({ data: group });
  const email = `steward-${teamId.slice(-12)}@example.org`;
  const { id, name } = await admin.createUser(service, { email, name: "Steward", group: group.name, team: teamId });
  const { key } = await admin.createApiKey(service, { userEmail: email, scopes: ["read", "write"] });
  return { id, email, name, key, actor: await actorOf(key) };
}
