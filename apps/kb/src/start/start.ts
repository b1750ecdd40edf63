import { once } from "node:events";
import { connect } from "@kb/db";
import { requireSameDatabase } from "@kb/runtime";
import { ensureBuilt } from "@kb/web";
import { applyMigrations, requireDatabase, serviceOf } from "../access.ts";
import type { Context, Output } from "../context.ts";
import { ownServer } from "../embedded.ts";
import type { Settings } from "../env.ts";
import { announce, credentialLines } from "./announce.ts";
import { type FirstStart, firstStart } from "./first-start.ts";
import { explainedByDisk } from "./full-disk.ts";
import { openObservability } from "./observability.ts";
import { requireFreePort } from "./port.ts";
import { reachLines } from "./reach.ts";
import { keptSecret } from "./secret.ts";
import { serveAll } from "./serve.ts";
import { markFinished } from "./unfinished.ts";

/** Runs the service until the signal; returns when every request is answered and PostgreSQL has stopped. */
export async function start(context: Context): Promise<void> {
  const { settings, output } = context;
  // Beside the start of PostgreSQL, which takes longer.
  const built = ensureBuilt(output.progress);
  const portIsFree = (): Promise<void> => requireFreePort(settings.host, settings.port);
  if (settings.databaseUrl === undefined) {
    try {
      const server = await ownServer(settings.dataDir, settings.appUrl, output.progress, portIsFree);
      await startOn(context, server.url, built).finally(() => server.release());
    } catch (error) {
      throw explainedByDisk(error, settings.dataDir);
    }
  } else {
    await portIsFree();
    const directUrl = settings.databaseDirectUrl ?? settings.databaseUrl;
    await requireDatabase(directUrl);
    await requireSameDatabase(settings.databaseUrl, settings.databaseDirectUrl);
    await startOn(context, directUrl, built);
  }
  output.progress("stopped");
}

/** Migrates the database and serves until the signal; returns when every request is answered. */
async function startOn({ settings, output, signal }: Context, directUrl: string, built: Promise<void>): Promise<void> {
  const secret = settings.appSecret ?? keptSecret(settings.dataDir);
  await applyMigrations(directUrl, output.progress);
  const observability = await openObservability(settings);
  const database = connect({
    url: settings.databaseUrl ?? directUrl,
    directUrl: settings.databaseDirectUrl,
    replicaUrls: settings.databaseReplicaUrls,
    telemetry: observability.telemetry,
  });
  try {
    await built;
    if (signal.aborted) return;
    const first = await firstStart(serviceOf(database, settings), settings);
    const serving = signal.aborted
      ? null
      : await serveAll(settings, secret, { database, databaseUrl: directUrl }, observability).catch(
          (error: unknown) => {
            printCredentials(output, settings, first);
            throw error;
          },
        );
    if (serving === null) return printCredentials(output, settings, first);
    for (const line of reachLines(settings)) output.progress(line);
    announce(output, settings.appUrl, first, settings.authorization(secret) !== undefined);
    if (first !== null) markFinished(settings.dataDir);
    if (!signal.aborted) await once(signal, "abort");
    output.progress("stopping");
    await serving.close();
  } finally {
    await observability.telemetry.close();
    await database.close();
  }
}

/** Prints the credentials of the first start even if it does not serve, because no later start shows them. */
function printCredentials(output: Output, { appUrl, dataDir }: Settings, first: FirstStart | null): void {
  if (first === null) return;
  for (const line of credentialLines(appUrl, first)) output.progress(line);
  markFinished(dataDir);
}
