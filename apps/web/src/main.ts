import { requestLimits, runEdgeProcess } from "@kb/http";
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
      ...requestLimits(env),
      service: { ...service, passwordLogIn: env.PASSWORD_LOGIN },
    }),
  ready: (env) => `ready ${env.APP_URL}`,
});
