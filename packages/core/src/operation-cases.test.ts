import { authenticateChannelToken, type Caller } from "@kb/auth";
import {
  authenticateCredential,
  type Column,
  type Credential,
  cells,
  createWorld,
  missingCase,
  operationCases,
  operationNamed,
  setScene,
  statementLog,
} from "@kb/core/testing";
import { testDatabase } from "@kb/db/testing";
import { expect, it } from "vitest";
import { ChangeFeed } from "./changes/feed.ts";
import type { Service } from "./context.ts";
import { invoke } from "./invoke.ts";
import { LiveFeed } from "./live/live-feed.ts";
import * as operations from "./operations.ts";

it("every operation has a case beside it, and every case an operation", () => {
  const missing = Object.entries(operations).filter(([, { name }]) => !operationCases.has(name));
  expect(missing.map(([exported]) => missingCase(exported))).toEqual([]);
  const names = new Set(Object.values(operations).map(({ name }) => name));
  expect([...operationCases.keys()].filter((name) => !names.has(name))).toEqual([]);
});

/** Finds the caller of a credential, the reader of a channel included. */
async function authenticate(service: Service, credential: Credential): Promise<Caller> {
  const { database, clock } = service;
  const reader =
    typeof credential === "string" ? await authenticateChannelToken(database, credential, clock.now()) : null;
  const caller = reader ?? (await authenticateCredential(service, credential));
  if (caller === null) throw new Error("the credential is not valid");
  return caller;
}

const likelyCallers: readonly Column[] = ["adminSession", "editorSession", "channelToken"];

it("no operation runs more statements than its case allows", { timeout: 120_000 }, async () => {
  const log = statementLog();
  const test = await testDatabase({ onQuery: log.onQuery });
  try {
    const world = await createWorld(test.database);
    const scene = await setScene(world);
    const service = {
      ...world.service,
      changes: new ChangeFeed({ database: test.database }),
      live: new LiveFeed({ database: test.database }),
    };
    const excesses: string[] = [];
    for (const [name, { input, statements: budget }] of operationCases) {
      const operation = operationNamed(name);
      const column = likelyCallers.find((one) => cells.get(name)?.[one] === "allowed");
      if (column === undefined) throw new Error(`nobody may do ${name}`);
      const given = await input(scene);
      const caller = await authenticate(service, await scene.credential(column));
      const ran = await log.during(() => invoke(service, operation, caller, given));
      if (ran.length > budget) excesses.push(`${name}: ${ran.length} statements, ${budget} allowed`);
      await scene.archiveCollection(false);
    }
    expect(excesses).toEqual([]);
  } finally {
    await test.drop();
  }
});
