import type { Locale } from "../../messages/index.ts";
import { preferenceCookies } from "./preference-cookies.ts";

/** The themes: the system's, or one of our own. */
export const themes = ["system", "light", "dark"] as const;
/** A theme of the app. */
export type Theme = (typeof themes)[number];

/** Returns whether the value names a theme. */
export function isTheme(value: string): value is Theme {
  return themes.some((theme) => theme === value);
}

/** Returns the theme of the page. */
export function themeOf(): Theme {
  const named = document.documentElement.dataset.theme ?? "";
  return isTheme(named) ? named : "system";
}

/** Changes the theme at once and for every later page of this browser. */
export function setTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  remember(preferenceCookies.theme, theme);
}

/** Changes the language of this browser. The page loads again, because the server writes a part of it. */
export function setLocale(locale: Locale): void {
  remember(preferenceCookies.locale, locale);
  location.reload();
}

/** Returns whether keys without Ctrl or ⌘ do something. */
export const hasSingleKeys = (): boolean => document.documentElement.dataset.keys !== "off";

/** Switches the keys without Ctrl or ⌘ on or off for this browser. */
export function setSingleKeys(isOn: boolean): void {
  setFlag("keys", isOn ? undefined : "off");
}

/** Returns whether the navigation is beside the page; a narrow page shows it only when it is opened. */
export const isSidebarShown = (): boolean => document.documentElement.dataset.sidebar !== "hidden";

/** Shows or hides the navigation beside the page for this browser. */
export function showSidebar(isShown: boolean): void {
  setFlag("sidebar", isShown ? undefined : "hidden");
}

/** Returns whether documents are opened for writing, where the reader may write in them. */
export const isWritingFirst = (): boolean => document.documentElement.dataset.documents === "writing";

/** Opens documents for writing or for reading in this browser. */
export function setWritingFirst(isOn: boolean): void {
  setFlag("documents", isOn ? "writing" : undefined);
}

/** Returns the language whose quotation marks the editor makes of those that are typed; undefined if it leaves them. */
export const quoteLanguage = (): string | undefined => document.documentElement.dataset.quotes;

/** Has the editor make quotation marks of a language for this browser; undefined leaves those that are typed. */
export function setQuoteLanguage(language: string | undefined): void {
  setFlag("quotes", language);
}

function setFlag(name: "keys" | "sidebar" | "documents" | "quotes", value: string | undefined): void {
  if (value === undefined) delete document.documentElement.dataset[name];
  else document.documentElement.dataset[name] = value;
  remember(preferenceCookies[name], value ?? "");
}

function remember(name: string, value: string): void {
  const secure = location.protocol === "https:" ? "; Secure" : "";
  // biome-ignore lint/suspicious/noDocumentCookie: not every supported browser has the Cookie Store API.
  document.cookie = `${name}=${value}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`;
}
