import { assistants } from "./ar/assistants.ts";
import { frame } from "./ar/frame.ts";
import { keys } from "./ar/keys.ts";
import { webhooks } from "./ar/webhooks.ts";
import { you } from "./ar/you.ts";
import type { SettingsWords } from "./en.ts";

/** The words of the settings in Arabic. */
export const ar: SettingsWords = { frame, you, keys, assistants, webhooks };
