import { oauthKeysOf, runProcess } from "@kb/http";
import { createOauth } from "./app.ts";
import { oauthEnvironment } from "./env.ts";
import { oauthSettings } from "./settings.ts";
import { singleSignOnSettings } from "./single-sign-on/settings.ts";
import { version } from "./version.ts";

// Serves the log-in and the authorization server alone, beside the other apps and behind one proxy.
runProcess({
  name: "oauth",
  environment: oauthEnvironment,
  version,
  open: ({ env, ...ground }) =>
    createOauth({
      ...ground,
      secret: env.APP_SECRET,
      singleSignOn: singleSignOnSettings(env),
      authorization: oauthSettings(env, oauthKeysOf(env)),
    }),
  ready: (env) => `ready ${env.APP_URL}`,
});
