import { setImmediate as otherRequests } from "node:timers/promises";
import { ServiceError } from "@kb/core";
import { metered } from "@kb/telemetry";
import { BodyTurns } from "./body-turns.ts";
import { JsonScan } from "./json-bounds.ts";
import { findJsonFault } from "./json-position.ts";

/** The length up to which a text is parsed in a few milliseconds, whatever it contains. */
export const shortBytes = 64 * 1024;

/** The bytes that are scanned between two looks at the clock: about a millisecond. */
const sliceBytes = 256 * 1024;

/** Time in milliseconds after which a step of a long text gives way to other requests. */
const stepMs = 4;

const turns = new BodyTurns();

/**
 * Parses a JSON text of bytes in UTF-8. A long one waits for its turn, is scanned for its bounds first, and gives way to
 * other requests between the steps.
 * @param owner the user or address whose long texts wait for each other first
 * @throws {MalformedBodyError} with the position of a fault
 * @throws {ServiceError} `validation_error` beyond the bounds, `unavailable` if too many long texts wait
 */
export async function parseJsonText(bytes: Uint8Array, owner: string): Promise<unknown> {
  if (bytes.length <= shortBytes) return metered(() => parse(decode(bytes)));
  return turns.run(owner, bytes.length, async () => {
    const pauses = new Pauses();
    const scan = new JsonScan(bytes);
    while (metered(() => scan.next(sliceBytes))) await pauses.afterStep();
    const text = metered(() => decode(bytes));
    await pauses.afterStep();
    return metered(() => parse(text));
  });
}

/** Gives way to other requests once the steps since the last time took long. */
class Pauses {
  #since = performance.now();

  async afterStep(): Promise<void> {
    if (performance.now() - this.#since < stepMs) return;
    await otherRequests();
    this.#since = performance.now();
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new MalformedBodyError("The request body is not valid UTF-8.");
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const { offset, line, column } = findJsonFault(text);
    throw new MalformedBodyError(
      `The request body is not valid JSON: line ${line}, column ${column} (offset ${offset}).`,
    );
  }
}

/** Reports a body that is not JSON, or not the JSON that it should be. */
export class MalformedBodyError extends ServiceError {
  constructor(message: string) {
    super("validation_error", message, { details: [{ path: "", message }] });
  }
}
