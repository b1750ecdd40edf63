import { admin, invoke, operations } from "@kb/core";
import { type Credential, createWorld, type Person, type World } from "@kb/core/testing";
import { connect, type Database } from "@kb/db";
import { type ApiClient, api } from "@kb/http/testing";
import { password } from "../../apps/kb/test/connect/test-service.ts";
import type { Request } from "./load.ts";
import { requestsWith } from "./requests-with.ts";
import { type Stack, unopenedStack } from "./stack.ts";

/** A test world on the whole stack: two instances of each app, workers and one proxy. */
export type TestStack = {
  readonly stack: Stack;
  readonly world: World;
  readonly database: Database;
  readonly mcp: URL;
  /** Other teams in the same service. */
  anotherWorld(): Promise<World>;
  as(who: Person | Credential): ApiClient;
};

/** A test stack that was not started yet. `close` ends whatever runs, also in the middle of `open`. */
type UnopenedTestStack = { open(): Promise<TestStack>; close(): Promise<void> };

/** Prepares a stack. `open` builds the images, starts the services of the compose file and creates the test world. */
export function unopenedTestStack(): UnopenedTestStack {
  const unopened = unopenedStack();
  let database: Database | undefined;
  return {
    open: async () => {
      const stack = await unopened.open();
      database = connect({ url: stack.databaseUrl, applicationName: "kb-test" });
      return withWorld(stack, database);
    },
    close: async () => {
      await database?.close();
      await unopened.close();
    },
  };
}

async function withWorld(stack: Stack, database: Database): Promise<TestStack> {
  const world = await createWorld(database, { appUrl: stack.origin });
  await database.client.team.update({ where: { id: world.teamId }, data: { mcpEnabled: true } });
  for (const { email } of Object.values(world.people)) await admin.setPassword(world.service, email, password);
  const client = api(stack.origin, null);
  return {
    stack,
    world,
    database,
    mcp: new URL("/api/mcp", stack.origin),
    anotherWorld: () => createWorld(database, { appUrl: stack.origin }),
    as: (who) => client.as(who !== null && typeof who === "object" && "key" in who ? who.key : who),
  };
}

/** The requests of a load on the test world. */
export const requestsOf = ({ world }: Pick<TestStack, "world">): ((index: number) => Request)[] =>
  requestsWith({
    key: world.people.editor.key,
    documentId: world.documents.guide.id,
    collectionId: world.collections.open,
  });

/** Changes the guide, which notifies its subscribers. */
export const changeGuide = ({ world }: Pick<TestStack, "world">, text: string): Promise<unknown> =>
  invoke(world.service, operations.updateDocument, world.people.admin.actor, { id: world.documents.guide.id, text });
