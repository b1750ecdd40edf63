import { stampMoment } from "@kb/db";
import { z } from "zod";
import { operation } from "../operation.ts";
import { Name } from "../schema/names.ts";
import { LanguageCode, Theme } from "../schema/profile.ts";
import { Profile, readProfile } from "./profile.ts";

/** Changes the caller's name, language or theme. Without a change it leaves no trace. */
export const updateProfile = operation({
  name: "auth.updateProfile",
  summary: "Update your name, language or theme",
  description:
    "The language is that of the app and of your mails. `null` for language or theme: each browser has its own.",
  scope: "write",
  capability: null,
  sessionOnly: true,
  input: z.strictObject({
    name: Name.optional(),
    language: LanguageCode.nullable().optional(),
    theme: Theme.nullable().optional(),
  }),
  output: Profile,
  async run({ tx, actor, now, audit, passwordLogIn }, request) {
    const { teamId, userId } = actor;
    // The lock of the clock makes concurrent changes of the same user run one after another.
    const at = await stampMoment(tx, teamId, now);
    const before = await readProfile(tx, actor, { passwordLogIn });
    const { name = before.name, language = before.language, theme = before.theme } = request;
    if (name === before.name && language === before.language && theme === before.theme) {
      audit.unchanged();
      return before;
    }
    audit.setTarget("user", userId);
    const data = { name, language, theme, updatedAt: at };
    await tx.user.update({ where: { teamId_id: { teamId, id: userId } }, data });
    return { ...before, name, language, theme };
  },
});
