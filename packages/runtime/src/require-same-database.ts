import { isSameDatabase } from "@kb/db";
import { EnvironmentError } from "./read-environment.ts";

/**
 * Refuses a `DATABASE_DIRECT_URL` that leads to another database than `DATABASE_URL`: changes would be announced where nobody listens,
 * and commands would change other data than the service. An address that does not answer is not compared.
 * @throws {EnvironmentError}
 */
export async function requireSameDatabase(url: string | undefined, directUrl: string | undefined): Promise<void> {
  if (url === undefined || directUrl === undefined || (await isSameDatabase(url, directUrl)) !== false) return;
  const hosts = `${new URL(directUrl).host} instead of ${new URL(url).host}`;
  throw new EnvironmentError(
    `DATABASE_DIRECT_URL leads to another database than DATABASE_URL (${hosts}): name the PostgreSQL behind the pooler, and the same database.`,
  );
}
