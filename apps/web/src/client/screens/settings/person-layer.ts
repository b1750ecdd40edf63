import type { Person } from "./person-row.tsx";

/** What may be done with somebody in a dialog. */
export type PersonAction = "edit" | "password" | "factor" | "picture" | "suspend";

/** A dialog about somebody; `secret` shows a password that was just made, `link` a link to set one. */
export type PersonLayer =
  | { readonly name: PersonAction; readonly person: Person }
  | { readonly name: "secret" | "link"; readonly person: Person; readonly secret: string };
