import { sql, type Tx } from "@kb/db";
import { recordedUse } from "../last-use.ts";

/** Records the use of a client at most once a minute: clients that are never used are deleted. */
export async function recordClientUse({ execute }: Pick<Tx, "execute">, clientId: string, now: Date): Promise<void> {
  await execute(sql`UPDATE oauth_clients ${recordedUse(now, sql`id = ${clientId}`)}`);
}
