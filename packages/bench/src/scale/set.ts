import { startApp } from "../api-process.ts";
import type { KeptDatabase } from "../data/open.ts";
import type { ServerProcess } from "../processes.ts";
import { type LoadOperation, operationsOf } from "./operations.ts";
import { cleanUp, prepareSubjects, type Subjects, titleMade } from "./subjects.ts";

/** A data set with running apps. */
export type ServedSet = {
  readonly count: number;
  readonly subjects: Subjects;
  readonly operations: readonly LoadOperation[];
  readonly servers: Readonly<Record<"api" | "mcp", ServerProcess>>;
  stop(): Promise<void>;
};

const writableCount = 40;

/** Starts the apps on a data set, and creates the documents that the load changes; `stop` deletes them. */
export async function serveSet({ url, count }: KeptDatabase): Promise<ServedSet> {
  const subjects = await prepareSubjects(url, count);
  const [api, mcp] = await Promise.all([startApp("api", url), startApp("mcp", url)]);
  const writable: string[] = [];
  for (let n = 0; n < writableCount; n += 1) writable.push(await makeDocument(api.port, subjects, n));
  return {
    count,
    subjects,
    operations: operationsOf(subjects, writable),
    servers: { api, mcp },
    stop: async () => {
      await Promise.all([api.stop(), mcp.stop()]);
      await cleanUp(url);
    },
  };
}

async function makeDocument(port: number, { keys, collectionId }: Subjects, n: number): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/documents`, {
    method: "POST",
    headers: { authorization: `Bearer ${keys.plain}`, "content-type": "application/json" },
    body: JSON.stringify({ collectionId, title: titleMade(-1 - n), text: "# To be changed\n\nText.\n", publish: true }),
  });
  if (!answer.ok) throw new Error(`no document was created: ${answer.status} ${await answer.text()}`);
  const { data } = await answer.json();
  return data.id;
}
