import { newId, stampMoment } from "@kb/db";
import { z } from "zod";
import { operation } from "../operation.ts";
import { type Edge, requireWholeTeam } from "../require-whole-team.ts";
import { Email, Ids, Name, Password } from "../schema/names.ts";
import { requirePasswords, usesPasswords } from "../sessions/require-passwords.ts";
import { addUser, nameFrom } from "./add.ts";
import { lockAuthority } from "./authority.ts";
import { findMembersGroup, requireGroups } from "./memberships.ts";
import { choosePassword, UserWithPassword } from "./password.ts";
import { presentUser, requireUser } from "./user.ts";

const adding = (edge: Edge) =>
  operation({
    ...edge,
    summary: "Add a user to the team",
    description:
      "Without `password`, the service generates one and returns it only in this response. No mail is sent. With `null`, and where passwords are switched off, the user has no password and logs in by single sign-on.",
    capability: "settings.members",
    freshProof: true,
    input: z.strictObject({
      email: Email,
      name: Name.optional(),
      groupIds: Ids(100).optional(),
      password: Password.nullable().optional(),
    }),
    output: UserWithPassword,
    prepare: ({ password }, { service }) => {
      if (typeof password === "string") requirePasswords(service);
      return choosePassword(usesPasswords(service) ? password : null);
    },
    async run(context, { email, name, groupIds }, password) {
      const { tx, actor, now } = context;
      requireWholeTeam(actor, "add users");
      const authority = await lockAuthority(context, "settings.members");
      const groups = await requireGroups(tx, authority, groupIds ?? [await findMembersGroup(tx, actor.teamId)]);
      const at = await stampMoment(tx, actor.teamId, now);
      const id = newId();
      await addUser(tx, {
        teamId: actor.teamId,
        id,
        email,
        name: name ?? nameFrom(email),
        passwordHash: password.hash,
        at,
        groupIds: groups.map((group) => group.id),
      });
      return { user: presentUser(await requireUser(tx, actor, id)), password: password.shown };
    },
  });

/** Adds a user to the team. Sends no mail: the caller passes on the password. */
export const inviteUser = adding({ name: "users.invite", scope: "write", sessionOnly: true });

/** Adds a user with an API key of scope `admin`. */
export const createUserByKey = adding({ name: "admin.users.create", scope: "admin" });
