import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { sealer } from "@kb/auth";
import { admin } from "@kb/core";
import { createWorld, testSecret } from "@kb/core/testing";
import { testDatabase } from "@kb/db/testing";
import { expect, it } from "vitest";
import { headerOf, openMailServer } from "./mail-server.ts";

const program = join(import.meta.dirname, "worker-process.ts");

it("the mail of a worker that is killed while it sends is sent by another, with the same Message-ID", {
  meta: { proves: ["onboarding.mail.once"] },
  timeout: 120_000,
}, async () => {
  const base = await testDatabase();
  const held = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  let messages = 0;
  const server = await openMailServer({
    // The first message has arrived, but is never answered.
    hold: async () => {
      messages += 1;
      if (messages > 1) return;
      held.resolve();
      await released.promise;
    },
  });
  const start = () => {
    const url = `smtp://127.0.0.1:${server.port}`;
    return spawn(process.execPath, [program, base.url, testSecret, url], { stdio: ["ignore", "inherit", "inherit"] });
  };
  const first = start();
  let second: typeof first | undefined;
  try {
    const world = await createWorld(base.database);
    const service = { ...world.service, mail: { sealer: sealer(testSecret, "mails") } };
    const id = await admin.queueTestMail(service, { to: "reader@example.org", team: world.teamId });
    await held.promise;
    first.kill("SIGKILL");
    await once(first, "exit");
    second = start();
    const state = async () =>
      (await base.database.client.mail.findMany({ where: { teamId: world.teamId } })).map(({ status }) => status);
    await expect.poll(state, { timeout: 60_000 }).toEqual(["sent"]);
    const sent = server.taken.map(({ source }) => headerOf(source, "Message-ID"));
    expect(sent).toEqual([`<${id}@localhost>`, `<${id}@localhost>`]);
  } finally {
    first.kill("SIGKILL");
    second?.kill("SIGKILL");
    released.resolve();
    await server.close();
    await base.drop();
  }
});
