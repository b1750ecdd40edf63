import { resolve } from "node:path";
import { oauthKeysOf, runProcess } from "@kb/http";
import { guardedFetch } from "@kb/outgoing";
import { openFiles } from "@kb/storage";
import { createMcp } from "./app.ts";
import { mcpEnvironment } from "./env.ts";
import { version } from "./version.ts";

// Serves the MCP endpoint alone, beside the other apps and behind one proxy.
runProcess({
  name: "mcp",
  environment: mcpEnvironment,
  version,
  open: ({ env, service, ...ground }) => {
    const oauthKeys = oauthKeysOf(env);
    if (oauthKeys === undefined && env.MCP_OAUTH_ENABLED !== false) {
      ground.logger.warn("no app can connect by OAuth: set APP_SECRET or MCP_OAUTH_TOKEN_SECRET as for the other apps");
    }
    const { app, close } = createMcp({
      ...ground,
      service: { ...service, files: openFiles(env, resolve(env.KB_DATA_DIR)) },
      perMinute: env.RATE_LIMIT_PER_MINUTE,
      oauthKeys,
      outgoing: guardedFetch(),
    });
    return { fetch: app.fetch, close };
  },
  ready: (env) => `ready ${env.APP_URL}`,
});
