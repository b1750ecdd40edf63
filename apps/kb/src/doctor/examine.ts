import { existsSync } from "node:fs";
import { join } from "node:path";
import { withDatabaseUrl } from "../access.ts";
import { noProgress } from "../context.ts";
import { folderHolder } from "../embedded.ts";
import type { Settings } from "../env.ts";
import { isPortTaken, requireFreePort } from "../start/port.ts";
import { backupsFindings } from "./backups.ts";
import { databaseFindings, redisFinding } from "./dependencies.ts";
import { filesFinding } from "./files.ts";
import { type Finding, fail, ok, reason, warn } from "./finding.ts";
import { appsFinding, appUrlFinding, dataDirFinding, nodeFinding, secretFinding } from "./machine.ts";
import { mailFinding } from "./mail.ts";
import { poolerFindings } from "./pooler.ts";
import { replicaFindings } from "./replicas.ts";
import { singleSignOnFinding } from "./single-sign-on.ts";

export type { Finding } from "./finding.ts";

/** Checks everything that the service needs. Leaves nothing behind; may start the embedded PostgreSQL for a moment. */
export async function examine(settings: Settings): Promise<Finding[]> {
  const dataDir = dataDirFinding(settings);
  const usable = dataDir.state !== "fail";
  return [
    nodeFinding(process.versions.node),
    dataDir,
    await serviceFinding(settings),
    ...(usable || settings.databaseUrl !== undefined ? await postgresFindings(settings) : []),
    ...(await poolerFindings(settings)),
    ...(await replicaFindings(settings)),
    await redisFinding(settings.redisUrl),
    await mailFinding(settings),
    await filesFinding(settings),
    ...(await backupsFindings(settings)),
    await singleSignOnFinding(settings),
    ...(usable ? [secretFinding(settings)] : []),
    appUrlFinding(settings),
    appsFinding(settings),
  ];
}

/** Checks whether the service runs on this folder, else whether its port is free. */
async function serviceFinding({ dataDir, databaseUrl, host, port }: Settings): Promise<Finding> {
  const holder = databaseUrl === undefined ? folderHolder(dataDir) : null;
  if (holder !== null) return ok("service", `running as process ${holder.pid} at ${holder.url}`);
  try {
    await requireFreePort(host, port);
    return ok("service", `not running; port ${port} is free`);
  } catch (error) {
    // With an external PostgreSQL, the folder does not show whether the service runs.
    if (databaseUrl === undefined) return fail("service", reason(error));
    return warn("service", isPortTaken(error) ? `${reason(error)} If that program is kb, all is well.` : reason(error));
  }
}

async function postgresFindings(settings: Settings): Promise<Finding[]> {
  const made = settings.databaseUrl !== undefined || existsSync(join(settings.dataDir, "postgres"));
  if (!made) return [ok("postgresql", "the first start creates the embedded one")];
  try {
    return await withDatabaseUrl(settings, noProgress, (url) => databaseFindings(url, settings));
  } catch (error) {
    return [fail("postgresql", reason(error))];
  }
}
