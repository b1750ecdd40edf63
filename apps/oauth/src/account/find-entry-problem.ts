import { findPasswordWeakness } from "@kb/auth";
import { Name, withoutInvisible } from "@kb/core";
import type { EntryProblem } from "./words/account-words.ts";

/** What is wrong with an entry, and the field that it is in. */
export type FieldProblem = { readonly field: "name" | "password"; readonly problem: EntryProblem };

const maxNameLength = 255;

/** Finds what is wrong with a name; null if it is right. */
export function findNameProblem(name: string): FieldProblem | null {
  const shown = withoutInvisible(name).trim();
  if (shown === "") return { field: "name", problem: "noName" };
  if (shown.length > maxNameLength) return { field: "name", problem: "longName" };
  return Name.safeParse(name).success ? null : { field: "name", problem: "oddName" };
}

/** Finds what is wrong with a password that a person chooses; null if it is right. */
export async function findPasswordProblem(
  password: string,
  person: { readonly name: string; readonly email: string },
): Promise<FieldProblem | null> {
  const of = (problem: EntryProblem): FieldProblem => ({ field: "password", problem });
  if (password.length < 8) return of("shortPassword");
  if (password.length > 1_024) return of("longPassword");
  const weakness = await findPasswordWeakness(password, [person.name, person.email]);
  return weakness === null ? null : of(weakness);
}
