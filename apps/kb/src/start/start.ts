import { once } from "node:events";
import { connect } from "@kb/db";
import { applyMigrations, serviceOf } from "../access.ts";
import type { Context } from "../context.ts";
import { ownServer } from "../embedded.ts";
import { announce } from "./announce.ts";
import { firstStart } from "./first-start.ts";
import { requireFreePort } from "./port.ts";
import { keptSecret } from "./secret.ts";
import { serveAll } from "./serve.ts";

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
  if (settings.appSecret === undefined) keptSecret(settings.dataDir);
  await applyMigrations(databaseUrl, output.progress);
  const database = connect({ url: databaseUrl });
  try {
    const first = await firstStart(serviceOf(database, settings.appUrl), settings);
    if (signal.aborted) return;
    const serving = await serveAll(settings, database);
    announce(output, { url: settings.appUrl, hasMcp: serving.hasMcp }, first);
    if (!signal.aborted) await once(signal, "abort");
    output.progress("stopping");
    await serving.close();
  } finally {
    await database.close();
  }
}
