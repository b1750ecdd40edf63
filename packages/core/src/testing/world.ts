import {
  type Actor,
  authenticateApiKey,
  createSession,
  csrfTokenOf,
  defaultLifetimes,
  type Level,
  oauthKeys,
  type Scope,
  type Sealer,
  sealer,
} from "@kb/auth";
import { type Database, newId } from "@kb/db";
import { admin, type DocumentView, invoke, operations, type Service } from "../index.ts";
import { limitThreads } from "../threads/offload.ts";
import { testFiles, testOutgoing } from "./files.ts";

// Where other test files take the processors, a large body takes longer than a client of the service waits.
limitThreads({ wallMs: 120_000 });

/** Somebody of the world, with a key that may read and write and the actor that it makes. */
export type Person = {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly key: string;
  readonly actor: Actor;
};

/** Levels of a restricted key; an entry that is not listed is `none`. */
export type Restrictions = {
  readonly collections?: Readonly<Record<string, "none" | "read" | "write">>;
  readonly documents?: Readonly<Record<string, "none" | "read" | "write">>;
};

/** Session of a user, as their browser sends it. */
export type SessionCredential = {
  readonly id: string;
  /** The token in the cookie. */
  readonly token: string;
  /** The header `Cookie`. */
  readonly cookie: string;
  /** The header `X-CSRF-Token`. */
  readonly csrf: string;
};

export type KeyOptions = { readonly restrictions?: Restrictions; readonly expiresAt?: Date };

/** A team with somebody in each built-in group, another team beside it, and the places and documents that tests need. */
export type World = {
  readonly service: Service & { readonly sealer: Sealer; readonly oauth: NonNullable<Service["oauth"]> };
  readonly teamId: string;
  /** One of each built-in group; `outsider` is an admin of another team. */
  readonly people: Readonly<Record<"admin" | "editor" | "member" | "viewer" | "outsider", Person>>;
  /** Collections by what they are for; see `createCollections`. */
  readonly collections: Places;
  readonly documents: Readonly<Record<DocumentName, DocumentView>>;
  /** `guide` is on `documents.guide`; `hidden` too, but restricted, and only Admins are on its list. */
  readonly tags: { readonly guide: string; readonly hidden: string };
  /** Creates another key of a person. */
  key(person: Person, scopes: readonly Scope[], options?: KeyOptions): Promise<string>;
  /** Logs a person in. */
  session(person: Person): Promise<SessionCredential>;
  /** The actor that a key makes now. */
  actorOf(key: string): Promise<Actor>;
  /** Sets what the team may do in a collection. */
  setDefaultAccess(collectionId: string, level: "none" | "read" | "write"): Promise<void>;
  /** Grants a user a level in a collection. */
  grant(collectionId: string, userId: string, level: Level): Promise<void>;
};

type Places = {
  /** Everybody in the team may write, as far as their group lets them. */
  readonly open: string;
  /** Everybody may read; only Editors (by a grant to their group) and its creator write. */
  readonly readable: string;
  /** Accessible only to its creator, the admin. */
  readonly vault: string;
  /** None by default; the member writes and the viewer reads, by grants of their own. */
  readonly granted: string;
  /** Collection of the other team. */
  readonly foreign: string;
};

type DocumentName =
  | "guide"
  | "child"
  | "memberDraft"
  | "adminDraft"
  | "secret"
  | "granted"
  | "trashed"
  | "archived"
  | "foreign";

/** The secret of the installation in tests. */
export const testSecret = "the secret of an installation that is a test";

const systemClock = { now: (): Date => new Date() };

/** Builds a world in a database that may hold others already; about forty operations, half a second. */
export async function createWorld(
  database: Database,
  options: { clock?: Service["clock"]; appUrl?: string } = {},
): Promise<World> {
  const { clock = systemClock, appUrl = "http://localhost:3000" } = options;
  const oauth = { keys: oauthKeys({ secret: testSecret }), lifetimes: defaultLifetimes };
  const service = {
    database,
    clock,
    appUrl,
    files: testFiles,
    outgoing: testOutgoing,
    sealer: sealer(testSecret, "webhooks"),
    oauth,
  };
  const mark = newId().slice(-12);
  // First, so that a database's one system admin is never among the people of the team under test.
  const outsider = await foundTeam(service, `Other ${mark}`, `outsider-${mark}@example.org`);
  const founder = await foundTeam(service, `Team ${mark}`, `admin-${mark}@example.org`);
  const { teamId } = founder.actor;
  const joining = (group: string): Promise<Person> =>
    join(service, teamId, group, `${group.toLowerCase()}-${mark}@example.org`);
  const people = {
    admin: founder,
    editor: await joining("Editors"),
    member: await joining("Members"),
    viewer: await joining("Viewers"),
    outsider,
  };
  const collections = await createCollections(service, people);
  const documents = await documentsOf(service, people, collections);
  const tags = await tagsOf(service, people.admin, documents.guide);
  return { service, teamId, people, collections, documents, tags, ...accessMethods(service, teamId) };
}

async function foundTeam(service: Service, name: string, adminEmail: string): Promise<Person> {
  await admin.createTeam(service, { name, adminEmail, adminName: `Admin of ${name}` });
  return personOf(service, adminEmail);
}

async function join(service: Service, team: string, group: string, email: string): Promise<Person> {
  await admin.createUser(service, { email, name: `One of ${group}`, group, team });
  return personOf(service, email);
}

async function personOf(service: Service, email: string): Promise<Person> {
  const { id, name } = await admin.findUser(service, email);
  const { key } = await admin.createApiKey(service, { userEmail: email, scopes: ["read", "write"], name: "Everyday" });
  return { id, email, name, key, actor: await actorOf(service, key) };
}

async function actorOf(service: Service, key: string): Promise<Actor> {
  const actor = await authenticateApiKey(service.database, key, service.clock.now());
  if (actor === null) throw new Error("the key is not valid");
  return actor;
}

function accessMethods(
  service: Service,
  teamId: string,
): Pick<World, "key" | "session" | "actorOf" | "setDefaultAccess" | "grant"> {
  const { client } = service.database;
  return {
    key: async (person, scopes, options = {}) => {
      const { restrictions, expiresAt } = options;
      return (await admin.createApiKey(service, { userEmail: person.email, scopes, restrictions, expiresAt })).key;
    },
    session: async (person) => {
      const who = { teamId: person.actor.teamId, userId: person.id };
      const { id, token } = await createSession(service.database, who, service.clock.now());
      return { id, token, cookie: `kb_session=${token}`, csrf: csrfTokenOf(token) };
    },
    actorOf: (key) => actorOf(service, key),
    setDefaultAccess: async (id, defaultAccess) => {
      await client.collection.update({ where: { teamId_id: { teamId, id } }, data: { defaultAccess } });
    },
    grant: async (collectionId, userId, level) => {
      await client.collectionGrant.upsert({
        where: { teamId_collectionId_userId: { teamId, collectionId, userId } },
        create: { teamId, id: newId(), collectionId, userId, level },
        update: { level },
      });
    },
  };
}

async function createCollections(service: Service, people: World["people"]): Promise<Places> {
  const { teamId } = people.admin.actor;
  const make = async (owner: Person, name: string): Promise<string> =>
    (await invoke(service, operations.createCollection, owner.actor, { name })).id;
  const places = {
    open: await make(people.admin, "Open"),
    readable: await make(people.admin, "Readable"),
    vault: await make(people.admin, "Vault"),
    granted: await make(people.admin, "Granted"),
    foreign: await make(people.outsider, "Foreign"),
  };
  const { setDefaultAccess, grant } = accessMethods(service, teamId);
  await setDefaultAccess(places.readable, "read");
  await setDefaultAccess(places.vault, "none");
  await setDefaultAccess(places.granted, "none");
  await grant(places.granted, people.member.id, "write");
  await grant(places.granted, people.viewer.id, "read");
  const editors = await service.database.client.group.findUnique({
    where: { teamId_builtIn: { teamId, builtIn: "editors" } },
  });
  if (editors === null) throw new Error("the team has no group of editors");
  await service.database.client.collectionGrant.create({
    data: { teamId, id: newId(), collectionId: places.readable, groupId: editors.id, level: "write" },
  });
  return places;
}

async function documentsOf(service: Service, people: World["people"], places: Places): Promise<World["documents"]> {
  const make = (owner: Person, input: object): Promise<DocumentView> =>
    invoke(service, operations.createDocument, owner.actor, input);
  const { admin: boss, member, outsider } = people;
  const guide = await make(boss, {
    title: "Guide",
    text: "# Guide\n\nHow *we* work.\n\n## Steps\n\n- one\n- two\n",
    collectionId: places.open,
    publish: true,
    tags: ["guide"],
  });
  const inOpen = { collectionId: places.open, publish: true };
  const child = await make(boss, { ...inOpen, title: "Child", text: "Below the guide.", parentDocumentId: guide.id });
  const memberDraft = await make(member, {
    title: "Draft of the member",
    collectionId: places.open,
    text: "Unfinished.",
  });
  const adminDraft = await make(boss, { title: "Draft of the admin", collectionId: places.readable, text: "Unsaid." });
  const secret = await make(boss, {
    title: "Secret",
    collectionId: places.vault,
    publish: true,
    text: "The zebra code.",
  });
  const granted = await make(boss, {
    title: "Granted",
    collectionId: places.granted,
    publish: true,
    text: "For a few.",
  });
  const trashed = await make(boss, { ...inOpen, title: "Trashed", text: "Gone." });
  await invoke(service, operations.deleteDocument, boss.actor, { id: trashed.id });
  const archived = await make(boss, { ...inOpen, title: "Archived", text: "Filed." });
  await invoke(service, operations.archiveDocument, boss.actor, { id: archived.id });
  const foreign = await make(outsider, {
    title: "Foreign",
    collectionId: places.foreign,
    publish: true,
    text: "Theirs.",
  });
  return { guide, child, memberDraft, adminDraft, secret, granted, trashed, archived, foreign };
}

async function tagsOf(service: Service, boss: Person, guide: DocumentView): Promise<World["tags"]> {
  const { teamId } = boss.actor;
  const { client } = service.database;
  const [tag] = await client.tag.findMany({ where: { teamId, name: "guide", restricted: false } });
  const group = await client.group.findUnique({ where: { teamId_builtIn: { teamId, builtIn: "admins" } } });
  if (tag === undefined || group === null) throw new Error("the world lacks its tag or its group of admins");
  const hidden = newId();
  await client.tag.create({
    data: {
      teamId,
      id: hidden,
      name: "hidden",
      restricted: true,
      createdById: boss.id,
      createdAt: service.clock.now(),
    },
  });
  await client.tagGrant.create({ data: { teamId, id: newId(), tagId: hidden, groupId: group.id } });
  await client.documentTag.create({ data: { teamId, documentId: guide.id, tagId: hidden } });
  return { guide: tag.id, hidden };
}
