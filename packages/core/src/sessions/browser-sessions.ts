import { endSession } from "@kb/auth";
import { z } from "zod";
import { notFound } from "../errors.ts";
import { operation, query } from "../operation.ts";
import { Id, Timestamp, timestamp } from "../schema/text.ts";

/** A browser session of the user. */
const LogIn = z
  .object({
    id: z.uuid(),
    address: z.string().nullable(),
    userAgent: z.string().nullable(),
    createdAt: Timestamp,
    lastSeenAt: Timestamp,
    expiresAt: Timestamp,
    current: z.boolean(),
  })
  .meta({ id: "LogIn" });

/** Lists the browser sessions of the caller. */
export const listSessions = query({
  name: "auth.sessions.list",
  summary: "List your sessions",
  description: "Newest first. `current` marks the session of this request.",
  scope: "read",
  capability: null,
  sessionOnly: true,
  input: z.strictObject({}),
  output: z.array(LogIn),
  async run({ database, actor, now }) {
    const { teamId, userId, credential } = actor;
    const rows = await database.client.browserSession.findMany({
      where: { teamId, userId, expiresAt: { gt: now } },
      orderBy: [{ lastSeenAt: "desc" }, { id: "desc" }],
      select: { id: true, address: true, userAgent: true, createdAt: true, lastSeenAt: true, expiresAt: true },
    });
    return rows.map(({ createdAt, lastSeenAt, expiresAt, ...row }) => ({
      ...row,
      createdAt: timestamp(createdAt),
      lastSeenAt: timestamp(lastSeenAt),
      expiresAt: timestamp(expiresAt),
      current: row.id === credential.id,
    }));
  },
});

/** Ends one of the caller's sessions; it may be the current one. */
export const revokeSession = operation({
  name: "auth.sessions.revoke",
  summary: "End one of your sessions",
  scope: "write",
  capability: null,
  sessionOnly: true,
  input: z.strictObject({ id: Id }),
  output: z.object({ id: z.uuid(), status: z.literal("ended") }),
  async run({ tx, actor }, { id }) {
    const { teamId, userId } = actor;
    const own = await tx.browserSession.findFirst({ where: { teamId, id, userId }, select: { id: true } });
    if (own === null || !(await endSession(tx, teamId, id))) throw notFound("Session");
    return { id, status: "ended" as const };
  },
});
