import { authenticateSession } from "@kb/auth";
import {
  type CaseInput,
  type Column,
  cases,
  cells,
  columns,
  createWorld,
  operationNamed,
  operationNames,
  type Scene,
  setScene,
} from "@kb/core/testing";
import { type TestDatabase, testDatabase } from "@kb/db/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { updateDocument } from "../documents/update.ts";
import { invoke } from "../invoke.ts";
import { giveLogo, givePicture } from "../testing/picture.ts";

/** Live editing has one entry for each author and checkpoint, `documents.live_edit`; opening a document changes none. */
const auditedLater = new Set(["live.open", "live.push"]);
/** Asking for the challenge of a passkey changes nothing of the account. */
const onlyAsking = new Set(["auth.passkeys.challenge", "auth.passkeys.start"]);
const changing = operationNames.filter(
  (name) => operationNamed(name).changes && !auditedLater.has(name) && !onlyAsking.has(name),
);
const call = { address: "192.0.2.7", requestId: "walk-1" };
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Where the matrix asks for something that changes nothing yet. */
const changes: Readonly<Record<string, CaseInput>> = {
  "documents.revisions.restore": async (scene) => {
    const id = await scene.document();
    await invoke(scene.world.service, updateDocument, scene.world.people.editor.actor, { id, title: "Another" });
    return { id, revision: 1 };
  },
  "auth.emailChange.cancel": async (scene) => {
    const start = operationNamed("auth.emailChange.start");
    await invoke(scene.world.service, start, scene.inApp, { email: "another-address@example.org" });
    return {};
  },
  "auth.picture.remove": async (scene) => {
    await givePicture(scene.world, scene.inApp.userId);
    return {};
  },
  "team.removeLogo": async (scene) => {
    await giveLogo(scene.world);
    return {};
  },
  // The first call only asks; the second, which confirms, changes something.
  "assistants.delete": async (scene) => {
    const id = await scene.document();
    await invoke(scene.world.service, operationNamed("assistants.delete"), scene.inApp, { id });
    return { id, confirm: true };
  },
};

/** Operations that change something only for somebody else than an admin: an admin's apps need no approval. */
const callers: Readonly<Record<string, Column>> = { "oauth.apps.ask": "memberSession" };

describe("every operation that changes something", () => {
  let test: TestDatabase;
  let scene: Scene;
  beforeAll(async () => {
    test = await testDatabase();
    scene = await setScene(await createWorld(test.database));
  });
  afterAll(() => test.drop());

  it.each(changing)(
    "%s is in the audit log: who, by what, what, on what, when, from where, and nothing of what was written",
    { timeout: 30_000, meta: { proves: ["decision.audit.changes", "decision.audit.no-secrets"] } },
    async (name) => {
      const actor = await allowedActor(name);
      const prepare = changes[name] ?? cases[name];
      if (prepare === undefined) throw new Error(`${name} has no case in the matrix`);
      const input = await prepare(scene);
      const before = new Set((await entries(name)).map((entry) => entry.id));
      const startedAt = Date.now();
      const output = await invoke(scene.world.service, operationNamed(name), actor, input, call);
      const [entry, ...more] = (await entries(name)).filter(({ id }) => !before.has(id));
      expect(more).toEqual([]);
      expect(entry).toMatchObject({
        teamId: actor.teamId,
        userId: actor.userId,
        outcome: "success",
        ...call,
        credentialKind: "session",
        credentialId: actor.credential.id,
        targetType: expect.stringMatching(/^[a-z_]+$/),
        targetId: expect.stringMatching(uuid),
      });
      expect(Math.abs((entry?.at.getTime() ?? 0) - startedAt)).toBeLessThan(60_000);
      const told = JSON.stringify(entry?.details ?? {});
      const written = [...textsIn(input), ...textsIn(output)].filter((text) => saysSomething(text));
      expect(written.filter((text) => told.includes(JSON.stringify(text).slice(1, -1)))).toEqual([]);
      await scene.archiveCollection(false);
    },
  );

  /** Somebody who is logged in and may do it. */
  async function allowedActor(name: string) {
    const isAllowed = (candidate: Column) => /Session$/.test(candidate) && cells.get(name)?.[candidate] === "allowed";
    const column = callers[name] ?? columns.find(isAllowed);
    const credential = column === undefined ? null : await scene.credential(column);
    if (credential === null || typeof credential === "string") throw new Error(`no session may call ${name}`);
    const actor = await authenticateSession(test.database, credential.token, new Date());
    if (actor === null) throw new Error(`the session of ${column} has ended`);
    return actor;
  }

  const entries = (action: string) => {
    const { teamId } = scene.world;
    return test.database.client.auditEntry.findMany({ where: { teamId, action } });
  };

  /** Every text in a value, however deep. */
  function textsIn(value: unknown): string[] {
    if (typeof value === "string") return [value];
    if (value instanceof Uint8Array || typeof value !== "object" || value === null) return [];
    return Object.values(value).flatMap(textsIn);
  }

  /** Text that people write or keep secret: no ids, and no plain words of the service such as a level. */
  const saysSomething = (text: string): boolean => !uuid.test(text) && !/^[a-z_.*]{0,24}$/.test(text);
});
