import { fileTypeFromBuffer, supportedMimeTypes } from "file-type";
import { ServiceError } from "../errors.ts";

/** The number of first bytes that suffice to detect a type. */
export const headBytes = 8192;

/** For each declared type, the detected types that also count as it: synonyms, and containers that may hold it. */
const acceptedTypes: Readonly<Record<string, readonly string[]>> = {
  "image/jpg": ["image/jpeg"],
  "image/pjpeg": ["image/jpeg"],
  "image/x-ms-bmp": ["image/bmp"],
  "image/vnd.microsoft.icon": ["image/x-icon"],
  "image/heif": ["image/heic", "image/heif-sequence", "image/heic-sequence"],
  "image/heic": ["image/heif", "image/heic-sequence"],
  "image/png": ["image/apng"],
  "audio/mp3": ["audio/mpeg"],
  "audio/x-wav": ["audio/wav"],
  "audio/wave": ["audio/wav"],
  "audio/vnd.wave": ["audio/wav"],
  "audio/x-aiff": ["audio/aiff"],
  "audio/x-flac": ["audio/flac"],
  "audio/x-aac": ["audio/aac"],
  "audio/m4a": ["audio/x-m4a", "audio/mp4", "video/mp4"],
  "audio/x-m4a": ["audio/mp4", "video/mp4"],
  "audio/mp4": ["audio/x-m4a", "video/mp4"],
  "audio/webm": ["video/webm", "video/matroska"],
  "audio/ogg": ["video/ogg", "application/ogg"],
  "video/ogg": ["audio/ogg", "application/ogg"],
  "audio/opus": ["audio/ogg"],
  "video/x-m4v": ["video/mp4"],
  "video/mp4": ["video/x-m4v"],
  "video/x-msvideo": ["video/vnd.avi"],
  "video/avi": ["video/vnd.avi"],
  "video/x-ms-wmv": ["video/x-ms-asf"],
  "audio/x-ms-wma": ["audio/x-ms-asf", "video/x-ms-asf"],
  "video/x-matroska": ["video/matroska"],
  "application/x-pdf": ["application/pdf"],
  "application/x-gzip": ["application/gzip"],
  "application/x-zip-compressed": ["application/zip"],
  "application/msword": ["application/x-cfb"],
};

/** Formats that are ZIP archives or compound files inside. */
const inZip =
  /^application\/(?:vnd\.(?:openxmlformats-officedocument|oasis\.opendocument|ms-\w+\.\w+)\b|epub\+zip|java-archive)/;
const inCompoundFile = /^application\/(?:vnd\.ms-|vnd\.visio)/;
/** Types that are written as text. */
const textual = /^(?:text\/|application\/(?:xml|rtf|json)$)|\+xml$/;

/**
 * Returns whether a browser may show the type, because it cannot run code of the uploader. Everything else is a
 * download.
 */
export function isDisplayable(contentType: string): boolean {
  return /^(?:image\/(?!svg)|audio\/|video\/)/.test(contentType) || contentType === "application/pdf";
}

/** Returns the type that the first bytes show; undefined for text and for unknown formats. */
export async function detectType(head: Uint8Array): Promise<string | undefined> {
  const found = await fileTypeFromBuffer(head);
  return found?.mime.split(";", 1)[0];
}

/**
 * Requires that the declared type fits the detected one. Types that a browser may show must match exactly.
 * @throws {ServiceError} `unsupported_media_type`
 */
export function requireType(declared: string, found: string | undefined): void {
  if (found === undefined ? !mustBeDetected(declared) : accepts(declared, found)) return;
  const really = found === undefined ? "something else" : found;
  throw new ServiceError("unsupported_media_type", `This is not ${declared}: the first bytes are those of ${really}.`);
}

const mustBeDetected = (declared: string): boolean =>
  isDisplayable(declared) || (supportedMimeTypes.has(declared) && !textual.test(declared));

function accepts(declared: string, found: string): boolean {
  if (declared === found || acceptedTypes[declared]?.includes(found)) return true;
  // This type is only offered for saving, so any bytes are allowed.
  if (declared === "application/octet-stream") return true;
  if (found === "application/zip") return inZip.test(declared);
  if (found === "application/x-cfb") return inCompoundFile.test(declared);
  return textual.test(found) && textual.test(declared);
}
