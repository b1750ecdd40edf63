import { CodecError } from "../src/index.ts";

/** Runs the work; its own refusal is no failure, anything else that it throws is thrown. Tells whether it was refused. */
export function workOrRefusal(work: () => unknown): boolean {
  try {
    work();
    return false;
  } catch (error) {
    if (!(error instanceof CodecError)) throw error;
    return true;
  }
}

/** Returns the work as one that may be refused, for measures. */
export const refusable = (work: () => unknown) => (): boolean => workOrRefusal(work);
