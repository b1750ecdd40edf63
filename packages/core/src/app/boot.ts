import {
  type Actor,
  type CollectionFacts,
  collectionLevel,
  decideCreateCollection,
  keyCollectionLevel,
  readableCollections,
} from "@kb/auth";
import { type Reader, sql } from "@kb/db";
import { z } from "zod";
import { scopeDigest } from "../changes/scope-digest.ts";
import { CollectionAbilities, collectionAbilities } from "../collections/abilities.ts";
import { documentCountOf } from "../collections/document-count.ts";
import { inOrder } from "../collections/in-order.ts";
import { type CollectionRow, collectionColumns, presentCollection } from "../collections/row.ts";
import { Me, meOf } from "../me.ts";
import { query } from "../operation.ts";
import { Collection } from "../schema/collection.ts";
import { maxMarkdownLength } from "../schema/max-markdown-length.ts";
import { maxTags, maxTitleLength } from "../schema/text.ts";
import { usesPasswords } from "../sessions/require-passwords.ts";
import { requireSession } from "../sessions/require-session.ts";

/** A collection in the sidebar. Its description is in `collections.get`. */
const BootCollection = Collection.pick({
  id: true,
  name: true,
  icon: true,
  color: true,
  sortOrder: true,
  archivedAt: true,
})
  .extend({
    /** The documents that the user may read, without trash and archive. */
    documentCount: z.int(),
    abilities: CollectionAbilities,
  })
  .meta({ id: "BootCollection" });

const Limits = z.object({
  /** Bytes of one attachment; null in a service without a store for them. */
  maxUploadSize: z.int().nullable(),
  /** Characters of a Markdown body. */
  maxMarkdownLength: z.int(),
  /** Code points of a title. */
  maxTitleLength: z.int(),
  /** Tags of one document. */
  maxTags: z.int(),
});

/**
 * Returns what the app shows first and needs for every later request, in one response: the user, their team, the CSRF
 * token of the session, all collections that the user may see in the order of the sidebar (archived ones too, as
 * `archivedAt` shows), and the limits of the service. `lastEventId` is read before the rest: a stream of `app.events` that
 * starts there misses no change of what this response shows. `scope` is a digest of what the user may see; the stream
 * begins with the same digest unless access was granted or revoked in between. 2 statements.
 */
export const bootApp = query({
  name: "app.boot",
  summary: "Get what the app needs first",
  description:
    "The user, the team, the CSRF token, the collections with their document counts and what the user may do in each, and the limits of the service. Open `app.events` with `lastEventId`; if its first `scope` is another one, get this again.",
  scope: "read",
  capability: null,
  sessionOnly: true,
  input: z.strictObject({}),
  output: z.object({
    user: Me,
    /** The version of the user's picture, as in `users.directory`. */
    picture: z.string().nullable(),
    team: z.object({
      id: z.uuid(),
      name: z.string(),
      mcpEnabled: z.boolean(),
      /** The version of the team's logo. */
      logo: z.string().nullable(),
    }),
    csrfToken: z.string(),
    lastEventId: z.string(),
    scope: z.string(),
    abilities: z.object({ createCollection: z.boolean() }),
    collections: z.array(BootCollection),
    limits: Limits,
    /** Whether people log in with passwords here: otherwise nobody sets one. */
    passwordLogIn: z.boolean(),
  }),
  async run({ reader, database, actor, files, passwordLogIn }) {
    const { csrfToken } = requireSession(actor);
    const { lastEventId, changedAt, scope, picture, ...team } = await readTeam(reader, actor);
    // The position outlives a crash of PostgreSQL, so it must not be after a change that the crash undoes.
    if (changedAt !== null) await database.changeOnDisk(actor.teamId, changedAt);
    return {
      user: meOf(actor),
      picture,
      team,
      csrfToken,
      lastEventId,
      scope,
      abilities: { createCollection: decideCreateCollection(actor) === "allow" },
      collections: await readCollections(reader, actor),
      limits: { maxUploadSize: files?.maxBytes ?? null, maxMarkdownLength, maxTitleLength, maxTags },
      passwordLogIn: usesPasswords({ passwordLogIn }),
    };
  },
});

type Team = {
  id: string;
  name: string;
  mcpEnabled: boolean;
  logo: string | null;
  lastEventId: string;
  changedAt: Date | null;
  scope: string;
  picture: string | null;
};

async function readTeam(reader: Reader, actor: Actor): Promise<Team> {
  const { teamId } = actor;
  const [team] = await reader.rows<Team>(sql`SELECT t.id, t.name, t."mcpEnabled",
      (SELECT l.version FROM team_logos l WHERE l."teamId" = ${teamId}::uuid) AS logo,
      COALESCE((SELECT k.sequence FROM team_clocks k WHERE k."teamId" = ${teamId}::uuid), 0)::text AS "lastEventId",
      (SELECT k.at FROM team_clocks k WHERE k."teamId" = ${teamId}::uuid) AS "changedAt",
      ${scopeDigest(actor)} AS scope,
      (SELECT p.version FROM user_pictures p WHERE p."teamId" = ${teamId}::uuid AND p."userId" = ${actor.userId}::uuid) AS picture
    FROM teams t WHERE t.id = ${teamId}::uuid`);
  if (team === undefined) throw new Error("the team of a session exists as long as the session");
  return team;
}

async function readCollections(reader: Reader, actor: Actor): Promise<z.input<typeof BootCollection>[]> {
  const rows = await reader.rows<CollectionRow & CollectionFacts & { documentCount: number }>(sql`
    SELECT ${collectionColumns}, ${collectionLevel(actor, "c")} AS level, ${keyCollectionLevel(actor)} AS "keyLevel",
      ${documentCountOf(actor)} AS "documentCount"
    FROM collections c WHERE ${readableCollections(actor)}`);
  return inOrder(rows).map((row) => ({
    ...presentCollection(row),
    documentCount: row.documentCount,
    abilities: collectionAbilities(actor, row),
  }));
}
