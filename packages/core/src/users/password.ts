import { hashPassword, makePassword } from "@kb/auth";
import { z } from "zod";
import { TeamUser } from "./user.ts";

/** A user with their generated password, which only this answer contains; null for a password that the caller chose. */
export const UserWithPassword = z.object({ user: TeamUser, password: z.string().nullable() });

/** Returns a given or a generated password with its hash; neither for null. */
export async function choosePassword(
  chosen: string | null | undefined,
): Promise<{ shown: string | null; hash: string | null }> {
  if (chosen === null) return { shown: null, hash: null };
  const password = chosen ?? makePassword();
  return { shown: chosen === undefined ? password : null, hash: await hashPassword(password) };
}
