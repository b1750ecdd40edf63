import { issueChallenge } from "@kb/auth";
import { TestPasskey } from "@kb/auth/testing";
import { caseOf } from "../testing/operation-case.ts";
import { takeSecondFactor } from "../testing/second-factor.ts";
import { addPasskey } from "./add.ts";

export const addPasskeyCase = caseOf(addPasskey, {
  access: "AKKKKKKK FFFF FFFFFFF KK +NNNNN FF FF",
  input: async ({ world, credential }) => {
    const { service, people } = world;
    const session = await credential("adminSession");
    if (session === null || typeof session === "string") throw new Error("it is a session");
    await takeSecondFactor(world, people.admin);
    const use = { purpose: "register", binding: session.id } as const;
    const challenge = await issueChallenge(service.database, use, service.clock.now());
    return { name: "Phone", credential: new TestPasskey(service.appUrl).register({ challenge }) };
  },
  statements: 24,
});
