import { z } from "zod";
import {
  type AudienceRule,
  attachmentReaders,
  collectionReaders,
  deletedTagViewers,
  documentReaders,
  holdersOf,
  ownerOrHoldersOf,
  tagViewers,
} from "./audience-rules.ts";

/** The MCP resource that an event changes. */
export type ResourceChange = {
  readonly kind: "document" | "collection";
  /** Whether the event also changes the list of resources. */
  readonly changesList: boolean;
};

/** One type of event: its data, its audience, and its receivers. */
export type EventDefinition = {
  /** The small snapshot that receivers get. */
  readonly data: z.ZodObject<{ id: z.ZodUUID }>;
  readonly audience: AudienceRule;
  /** `subscribed`: all webhooks that listen to it. `addressed`: only the webhook for which it was queued. */
  readonly webhooks: "subscribed" | "addressed";
  /** Null for an event that changes no resource of MCP. */
  readonly mcp: ResourceChange | null;
  /** Whether the web app's stream of changes carries it. */
  readonly browsers: boolean;
  /** Whether a reader may lose access to the document by it. That reader gets only the document's id. */
  readonly departs?: true;
  /** Whether webhooks that are limited to collections get it too. */
  readonly ignoresCollections?: true;
};

const id = z.uuid();
const changed = z.array(z.string()).readonly();
const restricted = z.literal(true).optional();

const DocumentData = z.strictObject({
  id,
  title: z.string(),
  collectionId: z.uuid().nullable(),
  revision: z.int(),
  changed,
  url: z.string(),
  /** The ids of everybody who wrote, for a change of live editing. */
  contributors: z.array(z.uuid()).readonly().optional(),
});
const CollectionData = z.strictObject({ id, title: z.string(), changed });
const TagData = z.strictObject({ id, name: z.string(), restricted });
const AttachmentData = z.strictObject({
  id,
  title: z.string(),
  documentId: z.uuid().nullable(),
  collectionId: z.uuid().nullable(),
  url: z.string().optional(),
});
const AppData = z.strictObject({ id, userId: z.uuid(), clientId: z.string(), name: z.string() });
const ApiKeyData = z.strictObject({ id, name: z.string(), userId: z.uuid() });

const everyReceiver = { webhooks: "subscribed", browsers: true } as const;
const document = {
  ...everyReceiver,
  data: DocumentData,
  audience: documentReaders,
  mcp: { kind: "document", changesList: true },
} as const;
const departing = { ...document, departs: true } as const;
const collection = {
  ...everyReceiver,
  data: CollectionData,
  audience: collectionReaders,
  mcp: { kind: "collection", changesList: true },
} as const;
const tag = { ...everyReceiver, data: TagData, audience: tagViewers, mcp: null } as const;
const attachment = { ...everyReceiver, data: AttachmentData, audience: attachmentReaders, mcp: null } as const;
const app = { ...everyReceiver, audience: ownerOrHoldersOf("developer.mcp"), mcp: null } as const;
const apiKey = {
  ...everyReceiver,
  data: ApiKeyData,
  audience: ownerOrHoldersOf("settings.members"),
  mcp: null,
} as const;
const webhook = { audience: holdersOf("developer.webhooks"), mcp: null, ignoresCollections: true } as const;

/** Every type of event, defined here and nowhere else; docs/webhooks.md lists the same names. */
export const eventDefinitions = {
  "document.created": document,
  "document.updated": { ...document, mcp: { kind: "document", changesList: false } },
  "document.published": document,
  "document.unpublished": departing,
  "document.moved": departing,
  "document.archived": departing,
  "document.unarchived": document,
  "document.deleted": departing,
  "document.restored": document,
  "document.destroyed": departing,
  "collection.created": collection,
  "collection.updated": { ...collection, mcp: { kind: "collection", changesList: false } },
  "collection.archived": collection,
  "collection.unarchived": collection,
  "collection.deleted": collection,
  "collection.access_changed": collection,
  "tag.created": tag,
  "tag.updated": { ...tag, data: TagData.extend({ changed }) },
  "tag.deleted": { ...tag, audience: deletedTagViewers },
  "attachment.created": attachment,
  "attachment.deleted": attachment,
  "app.authorized": { ...app, data: AppData.extend({ scope: z.string() }) },
  "app.revoked": { ...app, data: AppData.extend({ reason: z.string() }) },
  "api_key.created": apiKey,
  "api_key.revoked": apiKey,
  "webhook.test": {
    ...webhook,
    data: z.strictObject({ id, url: z.string() }),
    webhooks: "addressed",
    browsers: false,
  },
  "webhook.disabled": { ...webhook, ...everyReceiver, data: z.strictObject({ id, reason: z.string() }) },
} as const satisfies Readonly<Record<string, EventDefinition>>;

/** The name of an event; subscriptions may also name `*` and `document.*`. */
export type EventType = keyof typeof eventDefinitions;

/** The names of all events. */
export const eventTypes: readonly EventType[] = namesOf(eventDefinitions);

/** Returns the keys of a constant object, which has exactly the keys of its type. */
function namesOf<Name extends string>(definitions: Readonly<Record<Name, unknown>>): Name[] {
  return Object.keys(definitions) as Name[];
}

const definitions: ReadonlyMap<string, EventDefinition> = new Map(Object.entries(eventDefinitions));

/** Returns the definition of an event type; undefined for a type of another release. */
export const findDefinition = (type: string): EventDefinition | undefined => definitions.get(type);

/** Returns the names of the events whose definition meets a condition. */
export function eventTypesWhere(meets: (definition: EventDefinition) => boolean): EventType[] {
  return eventTypes.filter((type) => meets(eventDefinitions[type]));
}

/**
 * Returns the data of an event as the schema of its type reads it. A defect must not send receivers more than the type
 * promises, so the check also runs in production, like the check of an operation's output. It takes about a microsecond.
 * @throws {Error} if the data does not match the schema
 */
export function requireEventData({ type, data }: { readonly type: EventType; readonly data: object }): object {
  const parsed = eventDefinitions[type].data.safeParse(data);
  if (parsed.success) return parsed.data;
  throw new Error(`The data of the event ${type} does not match its schema: ${z.prettifyError(parsed.error)}`);
}
