import { admin } from "@kb/core";
import { addPerson } from "@kb/core/testing";
import { newId } from "@kb/db";
import { expect, it } from "vitest";
import { testBrowser } from "./browser.ts";
import { compareTimes } from "./compare-times.ts";
import { openSetting, password, type Setting } from "./setting.ts";

const perKind = 4;

/** Creates people of a kind: with a password, without one, or suspended. */
async function emailsOf({ world }: Setting, kind: "member" | "without" | "suspended"): Promise<string[]> {
  const people = await Promise.all(Array.from({ length: perKind }, () => addPerson(world, "Members")));
  for (const { email } of people) {
    if (kind !== "without") await admin.setPassword(world.service, email, password);
    if (kind === "suspended") await admin.suspendUser(world.service, email);
  }
  return people.map(({ email }) => email);
}

it("a failed log-in has the same answer after the same time for every address, with an account or without", {
  meta: { proves: ["onboarding.log-in.same-answer"] },
  timeout: 900_000,
}, async () => {
  const setting = await openSetting();
  try {
    const known = {
      wrong: await emailsOf(setting, "member"),
      without: await emailsOf(setting, "without"),
      suspended: await emailsOf(setting, "suspended"),
    };
    const answers = new Set<string>();
    const time = async (email: string, typed: string, address: string): Promise<number> => {
      const visitor = testBrowser(setting.app, { address });
      const page = await visitor.get("/login");
      const startedAt = performance.now();
      const answer = await visitor.submit(page, "/login", { email, password: typed });
      const took = performance.now() - startedAt;
      const body = answer.text.replaceAll(email, "EMAIL").replaceAll(/name="csrf" value="[^"]*"/g, "");
      answers.add(`${answer.status} ${body}`);
      return took;
    };
    const of = (emails: readonly string[], turn: number): string => emails[turn % perKind] ?? "";
    const ratios = await compareTimes({
      // Another hour, so that no limit is reached.
      before: () => setting.clock.advance(60 * 60 * 1000),
      kinds: {
        unknown: () => time(`${newId()}@example.org`, "a wrong password", "192.0.2.1"),
        wrong: (turn) => time(of(known.wrong, turn), "a wrong password", "192.0.2.2"),
        without: (turn) => time(of(known.without, turn), "a wrong password", "192.0.2.3"),
        suspended: (turn) => time(of(known.suspended, turn), password, "192.0.2.4"),
      },
    });
    expect(answers.size).toBe(1);
    for (const ratio of Object.values(ratios)) expect([ratio > 0.8, ratio < 1.25]).toEqual([true, true]);
  } finally {
    await setting.close();
  }
});
