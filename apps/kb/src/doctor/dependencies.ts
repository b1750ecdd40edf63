import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { countTeams } from "@kb/core/admin";
import {
  connect,
  type Database,
  databaseExists,
  isTooOld,
  type MigrationStatus,
  migrationStatus,
  oldestPostgres,
  sql,
  type TextFacts,
  textFacts,
} from "@kb/db";
import { connectRedis, createLogger } from "@kb/runtime";
import type { Settings } from "../env.ts";
import { causeOf, type Finding, fail, ok, reason, warn } from "./finding.ts";
import { groupFindings } from "./groups.ts";

/** Checks PostgreSQL, its version, its text and its schema. */
export async function databaseFindings(url: string, settings: Settings): Promise<Finding[]> {
  const database = connect({ url, poolMax: 1, applicationName: "kb doctor" });
  try {
    const status = await migrationStatus(url);
    const schema = schemaFinding(status);
    // Before the first migration the server may have no database yet.
    if (status.applied.length === 0 && !(await databaseExists(url))) return [ok("postgresql", "responds"), schema];
    const server = await postgresFinding(database);
    const findings = server.state === "ok" ? [server, textFinding(await textFacts(url)), schema] : [server, schema];
    if (schema.state !== "ok") return findings;
    return [...findings, await teamFinding(database), ...(await groupFindings(database, settings))];
  } catch (error) {
    const host = new URL(url).host;
    const variable = settings.databaseDirectUrl === undefined ? "DATABASE_URL" : "DATABASE_DIRECT_URL";
    return [fail("postgresql", `${host} does not respond (${causeOf(error)}): start it, or correct ${variable}.`)];
  } finally {
    await database.close();
  }
}

async function postgresFinding(database: Database): Promise<Finding> {
  const [row] = await database.rows<{ version: string }>(sql`SELECT current_setting('server_version') AS version`);
  const version = row?.version ?? "unknown";
  if (isTooOld(version)) return fail("postgresql", `${version} is too old: use ${oldestPostgres} or newer.`);
  return ok("postgresql", version);
}

/** Judges how the database stores and compares text. */
export function textFinding({ encoding, knowsCapitals, sortedBy, present }: TextFacts): Finding {
  if (encoding !== "UTF8")
    return fail("text", `the database stores text as ${encoding}: restore a backup into one with ENCODING 'UTF8'.`);
  if (sortedBy !== present && (sortedBy === null || present === null))
    return warn(
      "text",
      "the server cannot tell whether its locales have changed since the indexes were sorted: run REINDEX DATABASE if it has " +
        "moved to another system. In a database that `kb migrate --create` made, a restored backup needs no such check.",
    );
  if (sortedBy !== present)
    return fail(
      "text",
      `the indexes are sorted by the locales ${sortedBy}, and the server now has ${present}: ` +
        "run REINDEX DATABASE, then ALTER DATABASE … REFRESH COLLATION VERSION.",
    );
  if (knowsCapitals) return ok("text", encoding);
  return warn(
    "text",
    "the locale of the database does not know that Ä is the capital of ä, so names are found by their exact letters only: " +
      "restore a backup into a database that was created with LC_CTYPE 'C.UTF-8'.",
  );
}

function schemaFinding({ applied, pending, failed, edited, unknown }: MigrationStatus): Finding {
  if (failed.length > 0) {
    return fail(
      "schema",
      `${failed.join(", ")} did not finish: restore a backup, or repair it by hand and run \`kb migrate\`.`,
    );
  }
  if (unknown.length > 0) {
    return fail("schema", `the database is newer than this program (${unknown.join(", ")}): update the program.`);
  }
  if (edited.length > 0) {
    return fail(
      "schema",
      `${edited.join(", ")} differs from the applied migration: use an unchanged copy of the program.`,
    );
  }
  if (pending.length > 0) return warn("schema", `${pending.length} pending: run \`kb migrate\` or \`kb start\`.`);
  return ok("schema", `up to date (${applied.length} migrations)`);
}

async function teamFinding(database: Database): Promise<Finding> {
  const teams = await countTeams({ database });
  if (teams > 0) return ok("team", `${teams} in this installation`);
  return warn("team", "there is no team yet: run `kb start` or `kb team create`.");
}

const redisWithinMs = 3_000;

/** Checks whether Redis responds, if it is set. */
export async function redisFinding(url: string | undefined): Promise<Finding> {
  if (url === undefined) return ok("redis", "not used: a single process counts its own rate limits");
  const away = (why: string): Finding =>
    fail("redis", `${new URL(url).host} does not respond${why}: start it, or correct or unset REDIS_URL.`);
  const redis = await connectRedis(url, createLogger({ app: "kb", level: "silent" }), redisWithinMs);
  try {
    const ready = await Promise.race([once(redis, "ready").then(() => true), wait(redisWithinMs, false)]);
    if (ready && (await redis.ping()) === "PONG") return ok("redis", "responds");
    return away("");
  } catch (error) {
    return away(` (${reason(error)})`);
  } finally {
    redis.disconnect();
  }
}
