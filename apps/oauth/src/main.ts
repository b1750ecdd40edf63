import { loadWebAuthn, sealer } from "@kb/auth";
import { mailServiceOf } from "@kb/core";
import { oauthKeysOf, runEdgeProcess } from "@kb/http";
import { createOauth } from "./app.ts";
import { oauthEnvironment } from "./env.ts";
import { oauthSettings } from "./settings.ts";
import { singleSignOnSettings } from "./single-sign-on/settings.ts";
import { version } from "./version.ts";

// Runs this app as a separate process, behind one proxy with the other apps.
runEdgeProcess({
  name: "oauth",
  environment: oauthEnvironment,
  version,
  open: async ({ env, service, ...context }) => {
    await loadWebAuthn();
    return createOauth({
      ...context,
      service: {
        ...service,
        mail: mailServiceOf(env),
        passwordLogIn: env.PASSWORD_LOGIN,
        sealer: sealer(env.APP_SECRET, "webhooks", env.APP_SECRET_PREVIOUS),
      },
      pagesPerMinute: env.RATE_LIMIT_PAGES_PER_MINUTE,
      secret: env.APP_SECRET,
      singleSignOn: singleSignOnSettings(env),
      authorization: oauthSettings(env, oauthKeysOf(env)),
    });
  },
  ready: (env) => `ready ${env.APP_URL}`,
});
