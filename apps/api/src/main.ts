import { resolve } from "node:path";
import { loadWebAuthn, sealer } from "@kb/auth";
import { mailServiceOf, quotasOf } from "@kb/core";
import { oauthKeysOf, requestLimits, runEdgeProcess } from "@kb/http";
import { guardedFetch } from "@kb/outgoing";
import { logFilesState } from "@kb/runtime";
import { openFiles } from "@kb/storage";
import { createApi } from "./app.ts";
import { apiEnvironment } from "./env.ts";
import { version } from "./version.ts";

// Serves the API as a process of its own, beside the other apps and behind one proxy.
runEdgeProcess({
  name: "api",
  environment: apiEnvironment,
  version,
  open: async ({ env, service, ...context }) => {
    await loadWebAuthn();
    return createApi({
      ...context,
      ...requestLimits(env),
      service: {
        ...service,
        sealer: sealer(env.APP_SECRET, "webhooks", env.APP_SECRET_PREVIOUS),
        mail: mailServiceOf(env),
        passwordLogIn: env.PASSWORD_LOGIN,
        outgoing: guardedFetch(),
        files: openFiles(env, resolve(env.KB_DATA_DIR), logFilesState(context.logger)),
        quotas: quotasOf(env),
      },
      oauthKeys: oauthKeysOf(env),
    });
  },
  ready: (env) => `ready ${env.APP_URL}`,
});
