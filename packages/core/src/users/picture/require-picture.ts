import { createHash } from "node:crypto";
import { z } from "zod";
import { invalid, ServiceError } from "../../errors.ts";
import { type InspectedPicture, inspectPicture, pictureTypes } from "./inspect-picture.ts";

/** The maximum size of a picture in bytes: the app sends 256 × 256 pixels, of which even a PNG has less. */
const maxPictureBytes = 300_000;

/** The maximum width and height of a picture in pixels. */
const maxPicturePixels = 512;

/** The limits of a picture, for descriptions. */
export const pictureLimits =
  "A PNG, JPEG or WebP that does not move, of at most 300,000 bytes and 512 × 512 pixels, in Base64.";

/** The picture of a call. */
export const PictureInput = z.strictObject({
  image: z
    .base64()
    .min(1)
    .max(Math.ceil(maxPictureBytes / 3) * 4),
});

/** A picture, or that there is none. */
export const PictureVersion = z.object({ picture: z.string().nullable() }).meta({ id: "PictureVersion" });

/** A picture as it is served. */
export const PictureFile = z.object({
  contentType: z.enum(pictureTypes),
  version: z.string(),
  bytes: z.instanceof(Uint8Array),
});

/** A picture as it is stored. */
export type ReceivedPicture = Pick<InspectedPicture, "contentType"> & {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Names the bytes. */
  readonly version: string;
};

/**
 * Reads the picture of a call.
 * @throws {ServiceError} `unsupported_media_type`, or `validation_error` for one that is too large
 */
export async function requirePicture({ image }: z.output<typeof PictureInput>): Promise<ReceivedPicture> {
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
}
