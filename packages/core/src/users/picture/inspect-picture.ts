import { detectType } from "../../attachments/media-type.ts";

/** The formats of pictures: browsers show them, they run no code, and they do not move. */
export const pictureTypes = ["image/png", "image/jpeg", "image/webp"] as const;

/** A picture, as its bytes say. */
export type InspectedPicture = {
  readonly contentType: (typeof pictureTypes)[number];
  readonly width: number;
  readonly height: number;
};

type Size = { readonly width: number; readonly height: number };

/**
 * Reads the format and the size of a picture from its bytes, without decoding it: a small file may decode to gigabytes.
 * Null for another format, for one that moves, and for bytes that do not say their size.
 */
export async function inspectPicture(bytes: Uint8Array): Promise<InspectedPicture | null> {
  // An animated PNG is another type.
  const found = await detectType(bytes);
  const contentType = pictureTypes.find((type) => type === found);
  if (contentType === undefined) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const size = readers[contentType](view);
    return size === null ? null : { contentType, ...size };
  } catch (error) {
    // The bytes end too early.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

const readers: Readonly<Record<InspectedPicture["contentType"], (view: DataView) => Size | null>> = {
  "image/png": (view) => ({ width: view.getUint32(16), height: view.getUint32(20) }),
  "image/jpeg": readJpegSize,
  "image/webp": readWebpSize,
};

/** Reads the frame header of a JPEG (ITU-T T.81, B.2.2), which follows other segments. */
function readJpegSize(view: DataView): Size | null {
  let at = 2;
  while (view.getUint8(at) === 0xff) {
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    // Pixels begin: a frame header would have come before.
    if (marker === 0xda) return null;
    // A marker may be preceded by fill bytes (B.1.1.2).
    at += marker === 0xff ? 1 : 2 + view.getUint16(at + 2);
  }
  return null;
}

/** Reads the first chunk of a WebP (RFC 9649, 2.4 to 2.7). */
function readWebpSize(view: DataView): Size | null {
  const chunk = String.fromCharCode(...[12, 13, 14, 15].map((at) => view.getUint8(at)));
  if (chunk === "VP8 ") return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  if (chunk === "VP8L") {
    const bits = view.getUint32(21, true);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  const isAnimated = (view.getUint8(20) & 0x02) !== 0;
  if (chunk !== "VP8X" || isAnimated) return null;
  return { width: uint24(view, 24) + 1, height: uint24(view, 27) + 1 };
}

const uint24 = (view: DataView, at: number): number => view.getUint16(at, true) + view.getUint8(at + 2) * 0x10000;
