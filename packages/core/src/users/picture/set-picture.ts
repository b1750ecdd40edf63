import { sql, stampMoment } from "@kb/db";
import { operation } from "../../operation.ts";
import { requireQuota } from "../../quotas/require-quota.ts";
import { PictureInput, PictureVersion, pictureLimits, requirePicture } from "./require-picture.ts";

/** Sets the picture of the caller, which people of the team see beside their name. The same picture again leaves no trace. */
export const setPicture = operation({
  name: "auth.picture.set",
  summary: "Set your picture",
  description: `${pictureLimits} People of your team see it beside your name. It counts as an attachment of yours.`,
  scope: "write",
  capability: null,
  sessionOnly: true,
  input: PictureInput,
  output: PictureVersion,
  prepare: requirePicture,
  async run(context, _input, { bytes, contentType, version }) {
    const { tx, actor, now, audit } = context;
    const { teamId, userId } = actor;
    audit.setTarget("user", userId);
    // The lock of the clock makes concurrent changes of the same picture run one after another.
    const at = await stampMoment(tx, teamId, now);
    const [before] = await tx.rows<{ version: string; size: number }>(sql`SELECT p.version, p.size FROM user_pictures p
      WHERE p."teamId" = ${teamId}::uuid AND p."userId" = ${userId}::uuid`);
    if (before?.version === version) {
      audit.unchanged();
      return { picture: version };
    }
    await tx.execute(sql`INSERT INTO user_pictures ("teamId", "userId", "contentType", version, size, bytes, "createdAt")
      VALUES (${teamId}::uuid, ${userId}::uuid, ${contentType}, ${version}, ${bytes.length}, ${bytes}, ${at}::timestamptz)
      ON CONFLICT ("teamId", "userId") DO UPDATE SET "contentType" = EXCLUDED."contentType", version = EXCLUDED.version,
        size = EXCLUDED.size, bytes = EXCLUDED.bytes, "createdAt" = EXCLUDED."createdAt"`);
    await requireQuota(context, userId, { attachments: bytes.length - (before?.size ?? 0) });
    return { picture: version };
  },
});
