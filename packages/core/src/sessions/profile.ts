import type { Actor } from "@kb/auth";
import { type Reader, sql } from "@kb/db";
import { z } from "zod";
import type { Service } from "../context.ts";
import { LanguageCode, Theme } from "../schema/profile.ts";
import { usesPasswords } from "./require-passwords.ts";

/** The profile of a user. Null for a language or theme that they have not chosen: each browser then has its own. */
export const Profile = z
  .object({
    name: z.string(),
    email: z.email(),
    language: LanguageCode.nullable(),
    theme: Theme.nullable(),
    /** False for a user who logs in by single sign-on only, as everybody does where passwords are switched off. */
    hasPassword: z.boolean(),
  })
  .meta({ id: "Profile" });

/** Reads the caller's profile. */
export async function readProfile(
  reader: Reader,
  { teamId, userId }: Actor,
  installation: Pick<Service, "passwordLogIn">,
): Promise<z.output<typeof Profile>> {
  const [row] = await reader.rows(sql`SELECT u.name, u.email, u.language, u.theme,
      u."passwordHash" IS NOT NULL AND ${usesPasswords(installation)} AS "hasPassword" FROM users u
    WHERE u."teamId" = ${teamId}::uuid AND u.id = ${userId}::uuid`);
  return Profile.parse(row);
}
