import type { ByteRange } from "@kb/storage";

/**
 * Reads the range that `Range` asks for (RFC 9110 §14.1.2) from a file of `size` bytes. Returns undefined to send the whole
 * file: without the header, or for one that may be ignored (another unit, several ranges). Returns null for a range outside
 * of the file (416).
 */
export function readRange(header: string | undefined, size: number): ByteRange | undefined | null {
  const match = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/i.exec(header ?? "");
  const [, from = "", to = ""] = match ?? [];
  if (match === null || (from === "" && to === "")) return undefined;
  if (from === "")
    return Number(to) === 0 || size === 0 ? null : { start: Math.max(0, size - Number(to)), end: size - 1 };
  const start = Number(from);
  const end = to === "" ? size - 1 : Math.min(Number(to), size - 1);
  if (to !== "" && Number(to) < start) return undefined;
  return start < size ? { start, end } : null;
}
