import type { ByteRange } from "@kb/storage";

/**
 * The one part that `Range` asks for (RFC 9110 §14.1.2), of so many bytes. Undefined: the whole is to be sent, because
 * nothing was asked, or what may be ignored (another unit, a list of parts). Null: it asks for what is not there (416).
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
