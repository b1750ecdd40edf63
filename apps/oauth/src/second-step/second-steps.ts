import { type FirstStep, sealer } from "@kb/auth";
import { z } from "zod";
import type { FirstStepMethod } from "../log-in-audit.ts";

/** The time that a user has for the second step. */
const lifetimeMs = 10 * 60_000;

const Content = z.strictObject({
  account: z.strictObject({ teamId: z.string(), userId: z.string() }),
  passwordMark: z.string(),
  method: z.enum(["password", "single_sign_on", "link"]),
  returnTo: z.string(),
  until: z.number(),
});

/** A log-in that waits for its second step: how it began, and where it leads. */
export type WaitingLogIn = FirstStep & { readonly method: FirstStepMethod; readonly returnTo: string };

/** Seals log-ins that wait for their second step in a field of the page that asks for it. Nothing is stored. */
export type SecondSteps = {
  issue(waiting: WaitingLogIn): string;
  /** Returns the log-in of a ticket, and whether it has taken too long; null for any other text. */
  open(ticket: string): { readonly waiting: WaitingLogIn; readonly isOver: boolean } | null;
};

/** Creates the second steps of an installation. */
export function createSecondSteps({ secret, clock }: { secret: string; clock: { now(): Date } }): SecondSteps {
  const box = sealer(secret, "second step of a log-in");
  const read = (ticket: string): z.output<typeof Content> | null => {
    try {
      return Content.parse(JSON.parse(Buffer.from(box.open(Buffer.from(ticket, "base64url"))).toString()));
    } catch {
      return null;
    }
  };
  return {
    issue({ account, passwordMark, method, returnTo }) {
      const until = clock.now().getTime() + lifetimeMs;
      const content: z.input<typeof Content> = { account, passwordMark, method, returnTo, until };
      return Buffer.from(box.seal(Buffer.from(JSON.stringify(content)))).toString("base64url");
    },
    open(ticket) {
      const content = read(ticket);
      if (content === null) return null;
      const { until, ...waiting } = content;
      return { waiting, isOver: until <= clock.now().getTime() };
    },
  };
}
