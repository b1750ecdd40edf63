import { CodecError } from "../src/index.ts";

/** Runs the work; its own refusal is no failure, anything else that it throws is thrown. */
export function workOrRefusal(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof CodecError)) throw error;
  }
}

/** Returns the work as one that may be refused, for measures. */
export const refusable = (work: () => unknown) => (): void => workOrRefusal(work);
