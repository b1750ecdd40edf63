import { invoke, operations } from "@kb/core";
import { type Credential, cases, createWorld, operationNamed, type Scene, setScene } from "@kb/core/testing";
import { newId } from "@kb/db";
import { postgresMsOf } from "@kb/db/testing";
import { type Route, routesOf } from "@kb/http/testing";
import { threadMs } from "@kb/testing/growth";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type IdField, idFieldsOf, requestOf } from "./id-fields.ts";
import { openSetting, type Setting } from "./setting.ts";

// Every field of every route that takes an id, as the description lists them: what is hidden from the caller answers in
// status, body, headers and time like what does not exist. KB_HIDDEN_CALLS=500 times every one of them, else it is a few.

const timedCalls = process.env.KB_HIDDEN_CALLS === undefined ? undefined : Number(process.env.KB_HIDDEN_CALLS);

/** The kinds of ids, and hidden things of each kind. */
type Hidden = Readonly<Record<string, readonly string[]>>;

const kindsByField: Readonly<Record<string, string>> = {
  collectionId: "collection",
  collectionIds: "collection",
  parentDocumentId: "document",
  parentId: "document",
  to: "document",
  linksTo: "document",
  after: "document",
  createdBy: "user",
  documentId: "document",
  groupId: "group",
  groupIds: "group",
  userId: "user",
  userIds: "user",
  ids: "user",
  tagIds: "tag",
  channelId: "channel",
};

/** Ids that refer to nothing that could be hidden. */
const exempt: readonly string[] = [
  // A place in the order of deliveries, which is that of their ids.
  "webhooks.deliveries before",
  // The audit log tells those who may read it of everything that was asked for in the team, found or not.
  "auditLog.list targetId",
  "audit.list targetId",
  // Names of the log of a document that the caller may read, and of a tab: both are looked for in that document only.
  "live.batches lineage",
  "live.push lineage",
  "live.push clientId",
  "live.stream lineage",
  "live.presence tabId",
];

const kindsByOperation: Readonly<Record<string, string>> = {
  documents: "document",
  collections: "collection",
  stars: "document",
  users: "user",
  groups: "group",
  invitations: "invitation",
  tags: "tag",
  apiKeys: "apiKey",
  oauth: "connectedApp",
  channels: "channel",
  channelTokens: "channelToken",
  webhooks: "webhook",
  published: "document",
  auth: "session",
  attachments: "attachment",
  imports: "import",
};

function kindOf(operation: string, { name }: IdField): string {
  const kind = name === "id" ? kindsByOperation[operation.split(".")[0] ?? ""] : kindsByField[name];
  if (kind === undefined) throw new Error(`${operation}: of what is ${name} the id?`);
  return operation === "webhooks.redeliver" ? "delivery" : kind;
}

describe("a hidden resource is answered like an absent one, in every field that accepts an id", () => {
  /** How often a request has waited for PostgreSQL. */
  let roundTrips = 0;
  let setting: Setting;
  let scene: Scene;
  let fields: readonly { operation: string; route: Route; field: IdField }[];
  let hiddenFromAdmin: Hidden;
  let hiddenFromEditor: Hidden;

  beforeAll(async () => {
    const onQuery = (_text: string, _values: readonly unknown[], beginsTrip: boolean): void => {
      if (beginsTrip) roundTrips += 1;
    };
    setting = await openSetting({ connect: { onQuery } });
    scene = await setScene(setting.world);
    const description = await (await setting.app.request("/openapi.json")).json();
    const all = routesOf(description).flatMap((route) =>
      idFieldsOf(description, route).map((field) => ({
        operation: String(route.operation.operationId),
        route,
        field,
      })),
    );
    fields = all.filter(({ operation, field }) => !exempt.includes(`${operation} ${field.name}`));
    expect(all.length - fields.length).toBe(exempt.length);
    const theirs = await ofAnotherTeam();
    hiddenFromEditor = withOwn(theirs, await privateOf("admin"));
    hiddenFromAdmin = withOwn(theirs, await privateOf("editor"));
  });
  afterAll(() => setting.close());

  const long = "A hidden document is no slower to miss for being long. ".repeat(8_000);

  /** A collection that nobody sees but who made it, and a long document in it. */
  async function privateOf(who: "admin" | "editor"): Promise<{ collection: string; document: string }> {
    const { service, people, setDefaultAccess } = setting.world;
    const { actor } = people[who];
    const { id: collection } = await invoke(service, operations.createCollection, actor, { name: "Private" });
    await setDefaultAccess(collection, "none");
    const given = { collectionId: collection, title: "Private", text: long, publish: true };
    return { collection, document: (await invoke(service, operations.createDocument, actor, given)).id };
  }

  const withOwn = (theirs: Hidden, own: { collection: string; document: string }): Hidden => ({
    ...theirs,
    collection: [own.collection, ...(theirs.collection ?? [])],
    document: [own.document, ...(theirs.document ?? [])],
  });

  /** One of everything that the other team has. */
  async function ofAnotherTeam(): Promise<Hidden> {
    const world = await createWorld(setting.database);
    const other = await setScene(world);
    const idOf = async (operation: string): Promise<string> => {
      const made: { id?: unknown } = (await cases[operation]?.(other)) ?? {};
      if (typeof made.id !== "string") throw new Error(`${operation} makes nothing`);
      return made.id;
    };
    return {
      document: [world.documents.guide.id],
      collection: [world.collections.open],
      user: [world.people.viewer.id],
      group: [await idOf("groups.update")],
      invitation: [await idOf("invitations.revoke")],
      tag: [await idOf("tags.update")],
      apiKey: [(await world.actorOf(world.people.admin.key)).credential.id],
      connectedApp: [await idOf("oauth.apps.revoke")],
      channel: [await idOf("channels.update")],
      channelToken: [await idOf("channelTokens.revoke")],
      webhook: [await idOf("webhooks.info")],
      attachment: [await idOf("attachments.delete")],
      import: [await idOf("imports.continue")],
      delivery: [await idOf("webhooks.redeliver")],
      session: [
        (await world.session(world.people.admin)).id,
        (await setting.world.session(setting.world.people.editor)).id,
      ],
    };
  }

  async function callerOf(operation: string): Promise<readonly [Credential, Hidden]> {
    const { caller, sessionOnly, scope } = operationNamed(operation);
    if (caller === "channel") return [await scene.credential("channelToken"), hiddenFromEditor];
    if (scope === "admin" && sessionOnly !== true) return [await scene.credential("adminKey"), hiddenFromAdmin];
    return sessionOnly === true
      ? [await scene.credential("adminSession"), hiddenFromAdmin]
      : [await scene.credential("everydayKey"), hiddenFromEditor];
  }

  async function inputOf(operation: string): Promise<object> {
    await scene.archiveCollection(false);
    return (await cases[operation]?.(scene)) ?? {};
  }

  const varying = /^(date|x-request-id|x-ratelimit-.*)$/;

  /** All of an answer but the id that was asked for, and what differs between any two answers. */
  async function answer(request: Request, id: string): Promise<string> {
    const response = await setting.app.fetch(request);
    const headers = [...response.headers].filter(([name]) => !varying.test(name));
    const body = (await response.text()).replaceAll(id, "<id>").replace(/"nextCursor":"[^"]*"/, "");
    return JSON.stringify([response.status, headers, body]);
  }

  it("with the same status, body and headers", {
    timeout: 60_000,
    meta: { proves: ["decision.api.hidden"] },
  }, async () => {
    expect(fields.length).toBeGreaterThan(60);
    const differences: string[] = [];
    for (const { operation, route, field } of fields) {
      const [credential, hidden] = await callerOf(operation);
      const input = await inputOf(operation);
      for (const id of hidden[kindOf(operation, field)] ?? []) {
        const unknown = newId();
        const one = requestOf(route, credential, input, field, id);
        const other = requestOf(route, credential, input, field, unknown);
        const shown = await answer(one, id);
        const expected = await answer(other, unknown);
        if (shown !== expected) differences.push(`${operation} ${field.name}: ${shown} and not ${expected}`);
      }
    }
    expect(differences).toEqual([]);
  });

  /**
   * In milliseconds: by the clock for KB_HIDDEN_CALLS, which needs a quiet machine and sees waits for locks, threads and timers too;
   * otherwise the processor time of this thread and of PostgreSQL, which other processes do not make longer.
   */
  async function time(request: Request, postgresMs: () => number): Promise<number> {
    const now = (): number => (timedCalls === undefined ? threadMs() + postgresMs() : performance.now());
    const began = now();
    await (await setting.app.fetch(request)).text();
    return now() - began;
  }

  const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

  /** What requests for the hidden id cost, and what those for unknown ones do, asked in turns: times and waits for PostgreSQL. */
  type Costs = { readonly times: number[]; readonly trips: number[] };

  /** The median time for the hidden id over that for unknown ones. @throws {Error} if they wait for PostgreSQL a different number of times */
  async function ratio(make: (id: string) => Request, id: string, calls: number): Promise<number> {
    const hidden: Costs = { times: [], trips: [] };
    const unknown: Costs = { times: [], trips: [] };
    const postgresMs = await postgresMsOf(setting.database);
    const ask = async (asked: string, { times, trips }: Costs): Promise<void> => {
      const before = roundTrips;
      times.push(await time(make(asked), postgresMs));
      trips.push(roundTrips - before);
    };
    for (let turn = 0; turn < calls; turn += 1) {
      const both = [() => ask(id, hidden), () => ask(newId(), unknown)];
      for (const one of turn % 2 === 0 ? both : both.reverse()) await one();
    }
    expect(median(hidden.trips)).toBe(median(unknown.trips));
    return median(hidden.times) / median(unknown.times);
  }

  const few = [
    "documents.get",
    "documents.update",
    "documents.edit",
    "documents.revisions.list",
    "collections.get",
    "published.get",
  ];

  it("in the same time", { timeout: 3_600_000, meta: { proves: ["decision.api.hidden"] } }, async () => {
    const timed =
      timedCalls === undefined
        ? fields.filter(({ operation, field }) => few.includes(operation) && field.name === "id")
        : fields;
    const differences: string[] = [];
    for (const { operation, route, field } of timed) {
      const [credential, hidden] = await callerOf(operation);
      const input = await inputOf(operation);
      const [id = ""] = hidden[kindOf(operation, field)] ?? [];
      const make = (asked: string): Request => requestOf(route, credential, input, field, asked);
      // Garbage collections and other work of this process come in between: only a lasting difference counts.
      const ratios: number[] = [];
      const fits = (value: number): boolean => value >= 0.8 && value <= 1.25;
      while (ratios.length < 4 && !ratios.some(fits)) ratios.push(await ratio(make, id, timedCalls ?? 60));
      const shown = ratios.map((value) => value.toFixed(2)).join(", ");
      if (timedCalls !== undefined) console.info(`${operation} ${field.name}: ${shown}`);
      if (!ratios.some(fits)) differences.push(`${operation} ${field.name}: ${shown}`);
    }
    expect(differences).toEqual([]);
  });
});
