import type { Service } from "../context.ts";
import { ServiceError } from "../errors.ts";

type Installation = Pick<Service, "passwordLogIn">;

/** Whether people log in with passwords in this installation. */
export const usesPasswords = ({ passwordLogIn = true }: Installation): boolean => passwordLogIn;

/** Requires that passwords are of use. @throws {ServiceError} `conflict` where people only log in by single sign-on */
export function requirePasswords(installation: Installation): void {
  if (usesPasswords(installation)) return;
  const message = "Passwords are switched off in this installation: people log in by single sign-on.";
  throw new ServiceError("conflict", message);
}
