import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { connect, type Database, type MigrationStatus, migrationStatus, sql } from "@kb/db";
import { connectRedis, createLogger } from "@kb/runtime";
import type { Settings } from "../env.ts";
import { causeOf, type Finding, fail, ok, reason, warn } from "./finding.ts";
import { groupFindings } from "./groups.ts";

const oldestPostgres = 15;

/** Checks PostgreSQL, its version and its schema. */
export async function databaseFindings(url: string, settings: Settings): Promise<Finding[]> {
  const database = connect({ url, poolMax: 1, applicationName: "kb doctor" });
  try {
    const status = await migrationStatus(url);
    const schema = schemaFinding(status);
    // Before the first migration the server may have no database yet.
    if (status.applied.length === 0) return [ok("postgresql", "responds"), schema];
    const findings = [await postgresFinding(database), schema];
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
  if (Number.parseInt(version, 10) >= oldestPostgres) return ok("postgresql", version);
  return fail("postgresql", `${version} is too old: use ${oldestPostgres} or newer.`);
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
  const teams = await database.client.team.count();
  if (teams > 0) return ok("team", `${teams} in this installation`);
  return warn("team", "there is no team yet: run `kb start` or `kb team create`.");
}

const redisWithinMs = 3_000;

/** Checks whether Redis responds, if it is set. */
export async function redisFinding(url: string | undefined): Promise<Finding> {
  if (url === undefined) return ok("redis", "not used: a single process counts its own rate limits");
  const away = (why: string): Finding =>
    fail("redis", `${new URL(url).host} does not respond${why}: start it, or correct or unset REDIS_URL.`);
  const redis = connectRedis(url, createLogger({ app: "kb", level: "silent" }), redisWithinMs);
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
