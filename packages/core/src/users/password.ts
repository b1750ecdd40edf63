import { hashPassword, makePassword } from "@kb/auth";
import { z } from "zod";
import { TeamUser } from "./user.ts";

/** A user with the password that was made up for them, which is shown this once; null for one that the caller chose. */
export const UserWithPassword = z.object({ user: TeamUser, password: z.string().nullable() });

/** A password that somebody chose, or one that is made up, with its hash; none for null. */
export async function choosePassword(
  chosen: string | null | undefined,
): Promise<{ shown: string | null; hash: string | null }> {
  if (chosen === null) return { shown: null, hash: null };
  const password = chosen ?? makePassword();
  return { shown: chosen === undefined ? password : null, hash: await hashPassword(password) };
}
