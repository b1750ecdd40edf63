import { z } from "zod";
import { query } from "../operation.ts";
import { AppApproval, readApproval, ShownApp } from "./app-request.ts";

/** Returns whether the caller may connect an app, for the page that asks them. */
export const getAppApproval = query({
  name: "oauth.apps.approval",
  summary: "Get whether you may connect an app",
  scope: "read",
  capability: null,
  sessionOnly: true,
  input: ShownApp,
  output: z.object({ approval: AppApproval }),
  run: async ({ reader, actor }, app) => ({ approval: await readApproval(reader, actor, app) }),
});
