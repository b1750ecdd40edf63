import type { KeySystem } from "./shortcuts.ts";

/** The system of the reader. */
export const keySystem: KeySystem = /Mac|iPhone|iPad/.test(navigator.platform) ? "apple" : "other";
