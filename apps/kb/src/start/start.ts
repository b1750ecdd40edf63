import { once } from "node:events";
import { connect } from "@kb/db";
import { applyMigrations, serviceOf } from "../access.ts";
import type { Context, Output } from "../context.ts";
import { ownServer } from "../embedded.ts";
import type { Settings } from "../env.ts";
import { announce, credentialLines } from "./announce.ts";
import { type FirstStart, firstStart } from "./first-start.ts";
import { requireFreePort } from "./port.ts";
import { keptSecret } from "./secret.ts";
import { serveAll } from "./serve.ts";
import { openTelling } from "./telling.ts";
import { markFinished } from "./unfinished.ts";

/** Serves everything until a signal comes; returns once every request is answered and PostgreSQL has stopped. */
export async function start(context: Context): Promise<void> {
  const { settings, output } = context;
  const portIsFree = (): Promise<void> => requireFreePort(settings.host, settings.port);
  if (settings.databaseUrl === undefined) {
    const server = await ownServer(settings.dataDir, settings.appUrl, output.progress, portIsFree);
    try {
      await startOn(context, server.url);
    } finally {
      await server.release();
    }
  } else {
    await portIsFree();
    await startOn(context, settings.databaseUrl);
  }
  output.progress("stopped");
}

/** Prepares the database, serves, and returns once a signal has stopped it and every request is answered. */
async function startOn({ settings, output, signal }: Context, databaseUrl: string): Promise<void> {
  const secret = settings.appSecret ?? keptSecret(settings.dataDir);
  await applyMigrations(databaseUrl, output.progress);
  const telling = await openTelling(settings);
  const database = connect({ url: databaseUrl, telemetry: telling.telemetry });
  try {
    if (signal.aborted) return;
    const first = await firstStart(serviceOf(database, settings), settings);
    const serving = signal.aborted
      ? null
      : await serveAll(settings, secret, database, telling).catch(orTell(output, settings, first));
    if (serving === null) return tellCredentials(output, settings, first);
    announce(output, settings.appUrl, first, settings.authorization(secret) !== undefined);
    if (first !== null) markFinished(settings.dataDir);
    if (!signal.aborted) await once(signal, "abort");
    output.progress("stopping");
    await serving.close();
  } finally {
    await telling.telemetry.close();
    await database.close();
  }
}

/** Fails as `serveAll` did, after the credentials were told. */
const orTell =
  (output: Output, settings: Settings, first: FirstStart | null) =>
  (error: unknown): never => {
    tellCredentials(output, settings, first);
    throw error;
  };

/** No later start shows the credentials again: they are told even where nothing comes to be served. */
function tellCredentials(output: Output, { appUrl, dataDir }: Settings, first: FirstStart | null): void {
  if (first === null) return;
  for (const line of credentialLines(appUrl, first)) output.progress(line);
  markFinished(dataDir);
}
