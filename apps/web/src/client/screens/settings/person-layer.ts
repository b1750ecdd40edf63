import type { Person, PersonAction } from "./person-row.tsx";

/** A dialog about somebody; `secret` shows a password that was just made, `link` a link to set one. */
export type PersonLayer =
  | { readonly name: PersonAction; readonly person: Person }
  | { readonly name: "secret" | "link"; readonly person: Person; readonly secret: string };
