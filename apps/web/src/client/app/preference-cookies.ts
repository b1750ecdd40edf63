/** The cookies in which a browser keeps how it wants the app to look. They say nothing about the user. */
export const preferenceCookies = { theme: "kb_theme", locale: "kb_locale" } as const;
