import { assistants } from "./en/assistants.ts";
import { frame } from "./en/frame.ts";
import { keys } from "./en/keys.ts";
import { webhooks } from "./en/webhooks.ts";
import { you } from "./en/you.ts";

/** The words of the settings in English, by page. Every other language has the same keys. */
export const en = { frame, you, keys, assistants, webhooks };

/** The words of the settings in one language. A language that lacks a key does not compile. */
export type SettingsWords = typeof en;
