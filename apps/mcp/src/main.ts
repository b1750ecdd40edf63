import { resolve } from "node:path";
import { quotasOf } from "@kb/core";
import { oauthKeysOf, openStreaming, requestLimits, runEdgeProcess } from "@kb/http";
import { guardedFetch } from "@kb/outgoing";
import { logFilesState } from "@kb/runtime";
import { openFiles } from "@kb/storage";
import { createMcp } from "./app.ts";
import { mcpEnvironment } from "./env.ts";
import { version } from "./version.ts";

// Serves only the MCP endpoint. A proxy puts it and the other apps behind one origin.
runEdgeProcess({
  name: "mcp",
  environment: mcpEnvironment,
  version,
  open: ({ env, service, ...context }) => {
    const oauthKeys = oauthKeysOf(env);
    if (oauthKeys === undefined && env.MCP_OAUTH_ENABLED !== false) {
      context.logger.warn(
        "no app can connect by OAuth: set APP_SECRET or MCP_OAUTH_TOKEN_SECRET as for the other apps",
      );
    }
    const files = openFiles(env, resolve(env.KB_DATA_DIR), logFilesState(context.logger));
    const streaming = openStreaming(service, context);
    const mcp = createMcp({
      ...context,
      ...requestLimits(env),
      streaming,
      service: { ...service, files, quotas: quotasOf(env) },
      oauthKeys,
      outgoing: guardedFetch(),
    });
    return {
      fetch: mcp.app.fetch,
      close: () => {
        streaming.close();
        mcp.close();
      },
    };
  },
  ready: (env) => `ready ${env.APP_URL}`,
});
