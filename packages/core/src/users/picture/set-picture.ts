import { createHash } from "node:crypto";
import { sql, stampMoment } from "@kb/db";
import { z } from "zod";
import { invalid, ServiceError } from "../../errors.ts";
import { operation } from "../../operation.ts";
import { requireQuota } from "../../quotas/require-quota.ts";
import { inspectPicture, pictureTypes } from "./inspect-picture.ts";

/** The maximum size of a picture in bytes: the app sends 256 × 256 pixels, of which even a PNG has less. */
const maxPictureBytes = 300_000;

/** The maximum width and height of a picture in pixels. */
const maxPicturePixels = 512;

/** A picture, or that there is none. */
export const PictureVersion = z.object({ picture: z.string().nullable() }).meta({ id: "PictureVersion" });

const Base64 = z
  .base64()
  .min(1)
  .max(Math.ceil(maxPictureBytes / 3) * 4);

/** Sets the picture of the caller, which people of the team see beside their name. The same picture again leaves no trace. */
export const setPicture = operation({
  name: "auth.picture.set",
  summary: "Set your picture",
  description:
    "A PNG, JPEG or WebP that does not move, of at most 300,000 bytes and 512 × 512 pixels, in Base64. People of your team see it beside your name. It counts as an attachment of yours.",
  scope: "write",
  capability: null,
  sessionOnly: true,
  input: z.strictObject({ image: Base64 }),
  output: PictureVersion,
  prepare: async ({ image }) => {
    const bytes = new Uint8Array(Buffer.from(image, "base64"));
    const inspected = await inspectPicture(bytes);
    if (inspected === null) {
      throw new ServiceError(
        "unsupported_media_type",
        `A picture is one of ${pictureTypes.join(", ")}, and does not move.`,
      );
    }
    const { contentType, width, height } = inspected;
    if (![width, height].every((side) => side >= 1 && side <= maxPicturePixels)) {
      throw invalid(
        "image",
        `Has ${width} × ${height} pixels: a picture has at most ${maxPicturePixels} × ${maxPicturePixels}`,
      );
    }
    return { bytes, contentType, version: createHash("sha256").update(bytes).digest("base64url").slice(0, 22) };
  },
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
