import { sealer } from "@kb/auth";
import { totpCode } from "@kb/auth/testing";
import { addPerson, giveSecondFactor, outcomeOf, sessionCallerOf } from "@kb/core/testing";
import { testClock } from "@kb/testing";
import { expect, it } from "vitest";
import { operations } from "../index.ts";
import { testWorld } from "../testing/test-world.ts";

const clock = testClock();
const { world } = await testWorld({ clock });

it("recovery codes work although the secret of the installation does not open the key of the app", {
  meta: { proves: ["onboarding.second-factor.recovery"] },
}, async () => {
  const person = await addPerson(world, "Members");
  const caller = await sessionCallerOf(world, person);
  const { secret, recoveryCodes } = await giveSecondFactor(world, person);
  const lost = sealer("a secret of the installation that was lost", "webhooks").seal(
    Buffer.from("a key of an app 1234"),
  );
  const where = { teamId_userId: { teamId: world.teamId, userId: person.id } };
  await world.service.database.client.secondFactor.update({ where, data: { secret: lost } });
  const start = (proof = "") => outcomeOf(caller.run(operations.startSecondFactor, { proof }));
  expect(await start(totpCode(secret, clock.now()))).toBe("validation_error");
  expect(await start(recoveryCodes[0])).toBe("done");
});
