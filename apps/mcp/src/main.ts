import { resolve } from "node:path";
import { apiKeys, runProcess } from "@kb/http";
import { guardedFetch } from "@kb/outgoing";
import { openFiles } from "@kb/storage";
import { createMcp } from "./app.ts";
import { mcpEnvironment } from "./env.ts";

// Serves the MCP endpoint alone, beside the other apps and behind one proxy.
runProcess({
  name: "mcp",
  environment: mcpEnvironment,
  open: ({ env, service, ...ground }) => {
    const { app, close } = createMcp({
      ...ground,
      service: { ...service, files: openFiles(env, resolve(env.KB_DATA_DIR)) },
      perMinute: env.RATE_LIMIT_PER_MINUTE,
      authenticate: apiKeys(service),
      oauthEnabled: false,
      outgoing: guardedFetch(),
    });
    return { fetch: app.fetch, close };
  },
  ready: (env) => `ready ${env.APP_URL}`,
});
