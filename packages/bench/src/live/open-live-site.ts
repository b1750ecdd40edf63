import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Actor, createSession, csrfTokenOf } from "@kb/auth";
import { admin, invoke, operations, type Service } from "@kb/core";
import { type Cluster, connect, migrate, startCluster } from "@kb/db";
import { startApp } from "../api-process.ts";
import type { ServerProcess } from "../processes.ts";

/** Somebody who is logged in. */
export type Person = { readonly actor: Actor; readonly headers: Readonly<Record<string, string>> };

/** Two instances of the API and a worker on a database of their own, and people who may write. */
export type LiveSite = {
  readonly service: Service;
  readonly cluster: Cluster;
  readonly instances: readonly ServerProcess[];
  /** The admin is the first. */
  readonly people: readonly Person[];
  readonly collectionId: string;
  /** Creates a published document; returns its id. */
  createDocument(text: string): Promise<string>;
  /** Starts another instance. */
  startInstance(): Promise<ServerProcess>;
};

/** So many that each may send what the bench sends: a person sends at most 600 batches a minute. */
const peopleCount = 40;

/** Opens a site, calls `use`, and closes everything. */
export async function withLiveSite(use: (site: LiveSite) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "kb-live-"));
  const cluster = await startCluster({ dataDir: join(folder, "data") });
  const started: ServerProcess[] = [];
  try {
    await migrate(cluster.url);
    const appUrl = "http://localhost:3000";
    const start = async (app: "api" | "worker"): Promise<ServerProcess> => {
      const process = await startApp(app, cluster.url, undefined, { APP_URL: appUrl, LOG_LEVEL: "info" });
      started.push(process);
      return process;
    };
    const database = connect({ url: cluster.url });
    const service: Service = { database, clock: { now: () => new Date() }, appUrl };
    const instances = await Promise.all([start("api"), start("api")]);
    await start("worker");
    try {
      await use({ service, cluster, instances, startInstance: () => start("api"), ...(await fillTeam(service)) });
    } finally {
      await database.close();
    }
  } finally {
    await Promise.all(started.map((process) => process.stop()));
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Creates a team with people who may write in a collection. */
export async function fillTeam(
  service: Service,
): Promise<Pick<LiveSite, "people" | "collectionId" | "createDocument">> {
  const adminEmail = "person-0@example.com";
  await admin.createTeam(service, { name: "Live", adminEmail, adminName: "Person 0" });
  const people: Person[] = [];
  for (let n = 0; n < peopleCount; n += 1) {
    const email = `person-${n}@example.com`;
    if (n > 0) await admin.createUser(service, { email, name: `Person ${n}`, group: "Editors" });
    people.push(await logIn(service, email));
  }
  const actor = await admin.systemActor(service, people[0]?.actor.teamId ?? "", people[0]?.actor.userId);
  const { id: collectionId } = await invoke(service, operations.createCollection, actor, { name: "Live" });
  await invoke(service, operations.setDefaultAccess, actor, { id: collectionId, defaultAccess: "write" });
  const createDocument = async (text: string): Promise<string> =>
    (await invoke(service, operations.createDocument, actor, { collectionId, title: "Live", text, publish: true })).id;
  return { people, collectionId, createDocument };
}

/** Logs somebody in. */
export async function logIn(service: Service, email: string): Promise<Person> {
  const { id: userId, teamId } = await admin.findUser(service, email);
  const { token } = await createSession(service.database, { teamId, userId }, service.clock.now());
  const headers = { Cookie: `kb_session=${token}`, "X-CSRF-Token": csrfTokenOf(token), Origin: service.appUrl };
  return { actor: await admin.systemActor(service, teamId, userId), headers };
}
