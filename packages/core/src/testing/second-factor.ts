import { createTotpSecret, findFactorMark, storeSecondFactor, totpSecretText } from "@kb/auth";
import { requireSealer } from "../require-sealer.ts";
import type { Person, World } from "./world.ts";

/** An authenticator app of somebody: the secret as people type it, and their recovery codes. */
export type TestAuthenticator = { readonly secret: string; readonly recoveryCodes: readonly string[] };

/** Gives somebody a second factor in place of an earlier one. No code of the app was used. */
export async function giveSecondFactor({ service }: World, person: Person): Promise<TestAuthenticator> {
  const { database, clock, sealer } = service;
  const secret = createTotpSecret();
  const account = { teamId: person.actor.teamId, userId: person.id };
  const recoveryCodes = await database.transaction(async (tx) => {
    const replaces = await findFactorMark(tx, account);
    return storeSecondFactor(tx, requireSealer(sealer), { account, secret, step: 0, replaces }, clock.now());
  });
  if (recoveryCodes === null) throw new Error("the second factor was changed at the same time");
  return { secret: totpSecretText(secret), recoveryCodes };
}

/** Takes the second factor of somebody away. */
export async function takeSecondFactor({ service }: World, { id: userId, actor: { teamId } }: Person): Promise<void> {
  await service.database.client.secondFactor.deleteMany({ where: { teamId, userId } });
}
