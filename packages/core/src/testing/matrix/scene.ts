import type { Actor } from "@kb/auth";
import { sql } from "@kb/db";
import { invoke, operations } from "../../index.ts";
import type { Credential } from "../credential.ts";
import type { World } from "../world.ts";
import type { Column } from "./columns.ts";
import { type Credentials, makeCredentials } from "./credentials.ts";

/** State of the document that the caller acts on. */
export type DocumentState = "published" | "archived" | "trashed";

/** World with every kind of credential, and the subjects of the calls. */
export type Scene = {
  readonly world: World;
  /** The collection of the subjects: the team may write in it. */
  readonly collectionId: string;
  /** The channel that publishes the collection. */
  readonly channelId: string;
  /** A document of the admin's in the collection; the restricted keys have their entries for it. */
  document(state?: DocumentState): Promise<string>;
  /** Actor of the admin in the app. */
  readonly inApp: Actor;
  /** Webhook of the admin, and one pending delivery of it. */
  webhook(): Promise<{ id: string; deliveryId: string }>;
  /** Archives or unarchives the collection. */
  archiveCollection(archived: boolean): Promise<void>;
  /** The credential, with the team's MCP switch as it has to stand for it. */
  credential(column: Column): Promise<Credential>;
  /** Returns the number of changes in the database, which a refusal leaves unchanged. */
  changes(): Promise<number>;
};

/** Creates the scene in a world, which takes half a second. */
export async function setScene(world: World): Promise<Scene> {
  const { service, people, teamId } = world;
  const { client } = service.database;
  const boss = people.admin.actor;
  const subject = await invoke(service, operations.createCollection, boss, { name: "Subject" });
  const credentials = await makeCredentials(world, { subject: subject.id, elsewhere: world.collections.open });
  const inApp: Actor = {
    ...boss,
    scopes: new Set(["read", "write", "admin"]),
    credential: {
      kind: "session",
      id: boss.userId,
      name: "Browser",
      session: { csrfToken: "", provenAt: service.clock.now() },
    },
  };
  let mcp: boolean | undefined;
  const scene: Scene = {
    world,
    collectionId: subject.id,
    channelId: credentials.channelId,
    inApp,
    document: async (state = "published") => {
      const given = { title: "Subject", text: "# Subject\n\nThe subject.", collectionId: subject.id, publish: true };
      const { id } = await invoke(service, operations.createDocument, boss, given);
      if (state === "archived") await invoke(service, operations.archiveDocument, boss, { id });
      if (state === "trashed") await invoke(service, operations.deleteDocument, boss, { id });
      await enterInKeys(world, credentials, id);
      return id;
    },
    webhook: async () => {
      const given = { url: "https://hooks.example.com/", events: ["*"] };
      const { id } = await invoke(service, operations.createWebhook, inApp, given);
      const delivery = await invoke(service, operations.testWebhook, inApp, { id });
      return { id, deliveryId: delivery.id };
    },
    archiveCollection: async (archived) => {
      const verb = archived ? operations.archiveCollection : operations.unarchiveCollection;
      await invoke(service, verb, boss, { id: subject.id });
    },
    credential: async (column) => {
      const wanted = column !== "mcpOff";
      if (mcp !== wanted) await client.team.update({ where: { id: teamId }, data: { mcpEnabled: wanted } });
      mcp = wanted;
      return credentials.of[column];
    },
    changes: async () => {
      const [row] = await service.database.acrossTeams.rows<{ changes: number }>(sql`
        SELECT (SELECT count(*) FROM events) + (SELECT count(*) FROM audit_entries WHERE outcome = 'success') AS changes`);
      return row?.changes ?? 0;
    },
  };
  await scene.document();
  return scene;
}

async function enterInKeys({ service, teamId }: World, { restricted }: Credentials, documentId: string): Promise<void> {
  await service.database.client.apiKeyDocument.createMany({
    data: restricted.flatMap(({ id, document }) =>
      document === null ? [] : [{ teamId, apiKeyId: id, documentId, level: document }],
    ),
  });
}
