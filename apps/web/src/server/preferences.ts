import { type EdgeContext, preferredLanguage } from "@kb/http";
import { getCookie } from "hono/cookie";
import { preferenceCookies } from "../client/app/preference-cookies.ts";
import { isQuoteStyle } from "../client/parts/quote-styles.ts";
import { ar } from "../messages/ar.ts";
import { en } from "../messages/en.ts";
import { type Locale, locales, type Messages } from "../messages/index.ts";

/** How this browser wants its pages: the language and the theme. */
export type Preferences = {
  readonly locale: Locale;
  readonly direction: "ltr" | "rtl";
  /** Undefined for the system's. */
  readonly theme: "light" | "dark" | undefined;
  readonly hasSingleKeys: boolean;
  readonly isSidebarShown: boolean;
  readonly isWritingFirst: boolean;
  /** The language whose quotation marks the editor makes; undefined for none. */
  readonly quotes: string | undefined;
  readonly messages: Messages;
};

const words: Readonly<Record<Locale, Messages>> = { en, ar };

/** Reads the preferences: the language from the cookie, else from `Accept-Language`, else English. */
export function preferencesOf(context: EdgeContext): Preferences {
  const locale = preferredLanguage(context);
  const theme = getCookie(context, preferenceCookies.theme);
  const quotes = getCookie(context, preferenceCookies.quotes);
  return {
    locale,
    direction: locales[locale].direction,
    theme: theme === "light" || theme === "dark" ? theme : undefined,
    hasSingleKeys: getCookie(context, preferenceCookies.keys) !== "off",
    isSidebarShown: getCookie(context, preferenceCookies.sidebar) !== "hidden",
    isWritingFirst: getCookie(context, preferenceCookies.documents) === "writing",
    quotes: quotes !== undefined && isQuoteStyle(quotes) ? quotes : undefined,
    messages: words[locale],
  };
}
