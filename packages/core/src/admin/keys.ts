import { makeToken, type Scope, storedToken } from "@kb/auth";
import { newId, stampChange, type Tx } from "@kb/db";
import { z } from "zod";
import { invalid, ServiceError } from "../errors.ts";
import { emit } from "../events.ts";
import type { Service } from "../operation.ts";
import { systemActor } from "./actor.ts";
import { Name, parseField } from "./fields.ts";
import { findCollections, findDocument } from "./find.ts";
import { findUser } from "./users.ts";

const Restrictable = z.enum(["none", "read", "write"]);

/** What a restricted key may touch: collections by id or name, documents by id. What is not listed is `none`. */
export const Restrictions = z.strictObject({
  collections: z.record(z.string(), Restrictable).default({}),
  documents: z.record(z.string(), Restrictable).default({}),
});

export type NewApiKey = {
  userEmail: string;
  scopes: readonly string[];
  name?: string | undefined;
  expiresAt?: Date | undefined;
  /** As `Restrictions`; checked here. */
  restrictions?: unknown;
};

export type CreatedApiKey = { id: string; key: string; scopes: Scope[]; restricted: boolean; expiresAt: string | null };

const Scopes = z.array(z.enum(["read", "write", "admin"])).min(1, "Name at least one of read, write, admin");

/**
 * Creates an API key of a user. The key itself is in the answer and nowhere else.
 * @throws {ServiceError} `validation_error`, `not_found` for the user or for what the restrictions name.
 */
export async function createApiKey(service: Service, input: NewApiKey): Promise<CreatedApiKey> {
  const user = await findUser(service, input.userEmail);
  if (user.suspendedAt !== null) {
    throw new ServiceError("conflict", `${user.email} is suspended: a key of theirs would not work.`);
  }
  const scopes = [...new Set(parseField("scopes", Scopes, input.scopes))];
  const name = parseField("name", Name, input.name ?? "Command line");
  const now = service.clock.now();
  const expiresAt = input.expiresAt ?? null;
  if (expiresAt !== null && expiresAt <= now) throw invalid("expires", "Must be in the future");
  const restricted = input.restrictions !== undefined;
  const rows = restricted ? await restrictionRows(service, user.teamId, input.restrictions) : noRestrictions;
  const key = makeToken("kb_");
  const id = newId();
  const owner = { teamId: user.teamId, userId: user.id };
  const data = { ...owner, id, name, scopes, restricted, expiresAt, createdAt: now, ...storedToken(key) };
  const actor = await systemActor(service, user.teamId, user.id);
  await service.database.transaction(async (tx) => {
    await tx.apiKey.create({ data });
    await addRestrictions(tx, user.teamId, id, rows);
    const stamp = await stampChange(tx, user.teamId, now);
    await emit(tx, actor, stamp, [{ type: "api_key.created", data: { id, name, userId: user.id } }]);
  });
  return { id, key, scopes, restricted, expiresAt: expiresAt?.toISOString() ?? null };
}

type RestrictionRows = {
  collections: { collectionId: string; level: z.output<typeof Restrictable> }[];
  documents: { documentId: string; level: z.output<typeof Restrictable> }[];
};

const noRestrictions: RestrictionRows = { collections: [], documents: [] };

async function restrictionRows(service: Service, teamId: string, raw: unknown): Promise<RestrictionRows> {
  const { collections, documents } = parseField("restrictions", Restrictions, raw);
  const rows: RestrictionRows = { collections: [], documents: [] };
  const found = await findCollections(service, teamId, Object.keys(collections));
  for (const [given, level] of Object.entries(collections)) {
    const collection = found.get(given);
    if (collection !== undefined) rows.collections.push({ collectionId: collection.id, level });
  }
  for (const [given, level] of Object.entries(documents)) {
    const document = await findDocument(service, teamId, given);
    rows.documents.push({ documentId: document.id, level });
  }
  return rows;
}

async function addRestrictions(tx: Tx, teamId: string, apiKeyId: string, rows: RestrictionRows): Promise<void> {
  const key = { teamId, apiKeyId };
  if (rows.collections.length > 0) {
    await tx.apiKeyCollection.createMany({ data: rows.collections.map((row) => ({ ...key, ...row })) });
  }
  if (rows.documents.length > 0) {
    await tx.apiKeyDocument.createMany({ data: rows.documents.map((row) => ({ ...key, ...row })) });
  }
}
