import { findPasswordWeakness, type PasswordWeakness } from "@kb/auth";
import { invalid } from "../errors.ts";

const reasons: Readonly<Record<PasswordWeakness, string>> = {
  common: "Is in lists of leaked passwords, which attackers try first: choose another one",
  personal: "Contains your name or e-mail address: choose another one",
  pattern: "Is a simple pattern: choose several unrelated words",
  guessable: "Is too easy to guess: choose several unrelated words",
};

/**
 * Requires that a password that a person chose for themselves is neither leaked nor easy to guess.
 * @throws {ServiceError} `validation_error` that says why.
 */
export async function requireStrongPassword(
  field: string,
  password: string,
  person: { readonly name: string; readonly email: string },
): Promise<void> {
  const weakness = await findPasswordWeakness(password, [person.name, person.email]);
  if (weakness !== null) throw invalid(field, reasons[weakness]);
}
