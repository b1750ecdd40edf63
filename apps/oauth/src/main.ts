import { connect } from "@kb/db";
import { clientIp, createLifecycle, createLogger, EnvironmentError, serve, stopOnSignals } from "@kb/http";
import { createOauth } from "./app.ts";
import { oauthEnvironment } from "./env.ts";
import { singleSignOnSettings } from "./single-sign-on/settings.ts";

/** Serves the log-in alone, beside the other apps and behind one proxy. */
async function main(): Promise<void> {
  const env = oauthEnvironment();
  const logger = createLogger({ app: "oauth", level: env.LOG_LEVEL });
  const lifecycle = createLifecycle();
  const database = connect({ url: env.DATABASE_URL, applicationName: "kb-oauth" });
  const app = createOauth({
    service: { database, clock: { now: () => new Date() }, appUrl: env.APP_URL },
    secret: env.APP_SECRET,
    logger,
    lifecycle,
    clientIp: clientIp(env.TRUSTED_PROXIES),
    singleSignOn: singleSignOnSettings(env),
  });
  const running = await serve({ fetch: app.fetch, hostname: env.HOST, port: env.PORT, lifecycle });
  stopOnSignals(async () => {
    await running.close();
    await database.close();
    logger.info("stopped");
  });
  logger.info({ port: running.port }, `ready ${env.APP_URL}`);
}

main().catch((error: unknown) => {
  console.error(error instanceof EnvironmentError ? error.message : error);
  process.exit(1);
});
