import { resolve } from "node:path";
import { sealer } from "@kb/auth";
import { oauthKeysOf, runProcess } from "@kb/http";
import { openFiles } from "@kb/storage";
import { createApi } from "./app.ts";
import { apiEnvironment } from "./env.ts";
import { version } from "./version.ts";

// Serves the API alone, beside the other apps and behind one proxy.
runProcess({
  name: "api",
  environment: apiEnvironment,
  version,
  open: ({ env, service, ...ground }) =>
    createApi({
      ...ground,
      service: {
        ...service,
        sealer: sealer(env.APP_SECRET, "webhooks", env.APP_SECRET_PREVIOUS),
        files: openFiles(env, resolve(env.KB_DATA_DIR)),
      },
      oauthKeys: oauthKeysOf(env),
      perMinute: env.RATE_LIMIT_PER_MINUTE,
    }),
  ready: (env) => `ready ${env.APP_URL}`,
});
