import { z } from "zod";

/** The languages of the app, its pages and its mails. */
export const LanguageCode = z.enum(["en", "ar"]);

/** A language of the app, its pages and its mails. */
export type Language = z.output<typeof LanguageCode>;

/** The themes: the system's, or one of our own. */
export const Theme = z.enum(["system", "light", "dark"]);
