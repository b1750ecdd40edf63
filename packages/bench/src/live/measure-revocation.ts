import { setTimeout as pause } from "node:timers/promises";
import { openSession } from "@kb/live/session";
import { httpTransport } from "@kb/live/testing";
import { schema } from "markdown-codec/schema";
import { send } from "./log-writer.ts";
import type { LiveSite } from "./open-live-site.ts";

const longestMs = 10_000;

/**
 * Takes the right to write from somebody who has a document open, this often. Returns the times from the answer until they can only
 * read, in milliseconds.
 */
export async function measureRevocation(
  site: LiveSite,
  documentId: string,
  rounds: number,
): Promise<readonly number[]> {
  const [instance, other] = site.instances;
  const [admin, editor] = site.people;
  if (instance === undefined || other === undefined || editor === undefined) throw new Error("the site is incomplete");
  const origin = `http://127.0.0.1:${other.port}`;
  const session = await openSession({
    transport: httpTransport({ documentId, origin: () => origin, headers: editor.headers }),
    schema,
    plugins: [],
    newClientId: () => crypto.randomUUID(),
  });
  const allow = (defaultAccess: "read" | "write") =>
    send(instance.port, admin, "/api/collections.setDefaultAccess", { id: site.collectionId, defaultAccess });
  const until = async (canWrite: boolean): Promise<void> => {
    const deadline = performance.now() + longestMs;
    while (session.canWrite !== canWrite) {
      if (performance.now() > deadline) throw new Error(`the editor was not told within ${longestMs} ms`);
      await pause(2);
    }
  };
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await until(true);
    // At any time between two polls of the service.
    await pause(500 * Math.random());
    await allow("read");
    const before = performance.now();
    await until(false);
    times.push(performance.now() - before);
    await allow("write");
  }
  await until(true);
  await session.close();
  return times;
}
