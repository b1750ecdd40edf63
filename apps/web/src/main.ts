import { runEdgeProcess } from "@kb/http";
import { webEnvironment } from "./env.ts";
import { createWeb } from "./server/app.ts";
import { version } from "./server/version.ts";

// Runs this app as a separate process, behind one proxy with the other apps.
runEdgeProcess({
  name: "web",
  environment: webEnvironment,
  version,
  open: ({ env, service, ...context }) =>
    createWeb({
      ...context,
      service: { ...service, passwordLogIn: env.PASSWORD_LOGIN },
      pagesPerMinute: env.RATE_LIMIT_PAGES_PER_MINUTE,
    }),
  ready: (env) => `ready ${env.APP_URL}`,
});
