import { randomFillSync } from "node:crypto";

let lastMs = 0;
let counter = 0;

/**
 * Returns a UUID version 7 (RFC 9562 §5.7): 48 bits of milliseconds, a 12-bit counter within the millisecond (§6.2
 * method 1), 62 random bits. Strictly increasing within a process, so new rows are appended to their index.
 */
export function newId(): string {
  const bytes = randomFillSync(Buffer.allocUnsafe(16));
  advance(bytes.readUInt16BE(6) & 0x7ff);
  bytes.writeUIntBE(lastMs, 0, 6);
  bytes.writeUInt16BE(0x7000 | counter, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

// Keeps the last millisecond if the clock steps back; a full counter moves on to the next millisecond.
function advance(seed: number): void {
  const now = Date.now();
  if (now > lastMs) {
    lastMs = now;
    counter = seed;
  } else if (counter < 0xfff) {
    counter += 1;
  } else {
    lastMs += 1;
    counter = seed;
  }
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Returns whether a text is a UUID of any version in its usual form. */
export function isUuid(text: string): boolean {
  return uuidPattern.test(text);
}
