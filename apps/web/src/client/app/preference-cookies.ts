/** The cookies in which a browser keeps how it wants the app to look and to act. They say nothing about the user. */
export const preferenceCookies = {
  theme: "kb_theme",
  locale: "kb_locale",
  /** `off` if keys without Ctrl do nothing. */
  keys: "kb_keys",
  /** `hidden` if the navigation beside the page is hidden. */
  sidebar: "kb_sidebar",
  /** `writing` if documents are opened for writing. */
  documents: "kb_documents",
  /** The language whose quotation marks the editor makes of those that are typed. */
  quotes: "kb_quotes",
} as const;
