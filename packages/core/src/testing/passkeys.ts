import { checkRegistration, lockFactorOfPasskeys, relyingPartyOf, storePasskey } from "@kb/auth";
import { TestPasskey } from "@kb/auth/testing";
import { operations } from "../index.ts";
import type { TestCaller } from "./caller.ts";
import { sessionCallerOf } from "./team-people.ts";
import type { Person, World } from "./world.ts";

/** A passkey of somebody, its id in the service, and the recovery codes that came with their first one. */
export type GivenPasskey = {
  readonly passkey: TestPasskey;
  readonly id: string;
  readonly recoveryCodes: readonly string[];
};

/** Adds a passkey to the account of somebody who is logged in. */
export async function addPasskeyBy(world: World, caller: TestCaller, name = "Phone"): Promise<GivenPasskey> {
  const { options } = await caller.run(operations.startPasskey, {});
  const passkey = new TestPasskey(world.service.appUrl);
  const credential = passkey.register(options);
  const added = await caller.run(operations.addPasskey, { name, credential });
  return { passkey, id: added.passkey.id, recoveryCodes: added.recoveryCodes ?? [] };
}

/** Gives somebody a passkey. A first one ends their sessions. */
export async function givePasskey(world: World, person: Person, name?: string): Promise<GivenPasskey> {
  return addPasskeyBy(world, await sessionCallerOf(world, person), name);
}

/** Stores a new passkey of the admin; returns its id. Ends no session. */
export async function subjectPasskey({ service, teamId, people: { admin } }: World): Promise<string> {
  const { database, clock, appUrl } = service;
  const account = { teamId, userId: admin.id };
  const passkey = new TestPasskey(appUrl);
  const checked = await checkRegistration(
    relyingPartyOf(appUrl),
    passkey.register({ challenge: "any" }),
    async () => true,
  );
  if (checked === null) throw new Error("the registration is right");
  const id = await database.transaction(async (tx) => {
    await lockFactorOfPasskeys(tx, account, clock.now());
    return storePasskey(tx, account, { ...checked, name: "Key" }, clock.now());
  });
  if (id === null) throw new Error("the passkey is new");
  return id;
}
