import { UsedCredential } from "@kb/core";
import type { z } from "zod";

/** Reads the answer of a passkey from the field of a form; null for any other text. */
export function readPasskeyAnswer(field: string): z.output<typeof UsedCredential> | null {
  try {
    return UsedCredential.parse(JSON.parse(field));
  } catch {
    return null;
  }
}
