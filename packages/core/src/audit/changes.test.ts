import { createWorld, operationNamed, operationNames, type Scene, setScene } from "@kb/core/testing";
import { type TestDatabase, testDatabase } from "@kb/db/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { invoke } from "../invoke.ts";
import { changingCaller, changingInput } from "../testing/matrix/changing-call.ts";

/** Live editing has one entry for each author and checkpoint, `documents.live_edit`; opening a document changes none. */
const auditedLater = new Set(["live.open", "live.push"]);
/** Asking for the challenge of a passkey changes nothing of the account. */
const onlyAsking = new Set(["auth.passkeys.challenge", "auth.passkeys.start"]);
const changing = operationNames.filter(
  (name) => operationNamed(name).changes && !auditedLater.has(name) && !onlyAsking.has(name),
);
const call = { address: "192.0.2.7", requestId: "walk-1" };
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

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
      const actor = await changingCaller(scene, name);
      const input = await changingInput(scene, name);
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
