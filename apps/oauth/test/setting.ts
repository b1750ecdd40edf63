import { defaultLifetimes, oauthKeys } from "@kb/auth";
import { admin, type MailService } from "@kb/core";
import { createWorld, testSecret, type World } from "@kb/core/testing";
import { testDatabase } from "@kb/db/testing";
import { clientIp } from "@kb/http";
import { createOauth, type OauthOptions } from "@kb/oauth";
import { createLifecycle, createLogger, processLimiter } from "@kb/runtime";
import { type TestClock, testClock } from "@kb/testing";

/** The password of everybody in the world. */
export const password = "a password of a length";
/** The secret of the installation under test. */
export const secret = "5f0c9d1be7a34286a9b1c7d20e4f68135f0c9d1b";

/** The authorization server of the installation under test; its keys are those of the world. */
export const authorization = {
  keys: oauthKeys({ secret: testSecret }),
  lifetimes: defaultLifetimes,
  registerPerHour: 20,
  tokenPerMinute: 60,
};

export type Setting = {
  readonly world: World;
  readonly clock: TestClock;
  readonly app: ReturnType<typeof createOauth>;
  /** The lines of the log, as text. */
  readonly lines: string[];
  close(): Promise<void>;
};

/** A world whose people have passwords, behind the app. */
export async function openSetting(
  options: Partial<Pick<OauthOptions, "singleSignOn" | "authorization" | "outgoing">> & {
    appUrl?: string;
    mail?: MailService;
    passwordLogIn?: boolean;
    trustedProxies?: string[];
  } = {},
): Promise<Setting> {
  const { appUrl = "http://localhost:3000", trustedProxies = [], mail, passwordLogIn, ...given } = options;
  const { database, drop } = await testDatabase();
  const clock = testClock();
  const world = await createWorld(database, { clock, appUrl });
  for (const person of Object.values(world.people)) await admin.setPassword(world.service, person.email, password);
  const lines: string[] = [];
  const logger = createLogger({ app: "oauth", level: "debug", destination: { write: (line) => lines.push(line) } });
  const app = createOauth({
    service: { ...world.service, mail, passwordLogIn },
    secret,
    logger,
    lifecycle: createLifecycle(),
    authorization,
    ...given,
    clientIp: clientIp(trustedProxies),
    limiter: processLimiter({ now: () => clock.now().getTime() }),
  });
  return { world, clock, app, lines, close: drop };
}
