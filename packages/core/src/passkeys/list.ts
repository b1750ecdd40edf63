import { sql } from "@kb/db";
import { z } from "zod";
import { query } from "../operation.ts";
import { Passkey, type PasskeyRow, presentPasskey } from "./passkey.ts";

/** Lists the caller's passkeys, the oldest first. */
export const listPasskeys = query({
  name: "auth.passkeys.list",
  summary: "List your passkeys",
  scope: "read",
  capability: null,
  sessionOnly: true,
  input: z.strictObject({}),
  output: z.array(Passkey),
  async run({ reader, actor: { teamId, userId } }) {
    const rows = await reader.rows<PasskeyRow>(sql`SELECT id, name, synced, "createdAt", "lastUsedAt" FROM passkeys
      WHERE "teamId" = ${teamId}::uuid AND "userId" = ${userId}::uuid ORDER BY "createdAt", id`);
    return rows.map(presentPasskey);
  },
});
