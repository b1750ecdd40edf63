import { type AppApproval, invoke, operations, type Service } from "@kb/core";
import type { BrowserSession, EdgeContext } from "@kb/http";
import type { AuthorizationRequest } from "./read-request.ts";
import { shownApp } from "./shown-app.ts";

/** Reads whether the user may connect the app, or the team has to approve it first. */
export async function readApproval(
  service: Service,
  { actor }: BrowserSession,
  { client }: AuthorizationRequest,
): Promise<AppApproval> {
  return (await invoke(service, operations.getAppApproval, actor, shownApp(client))).approval;
}

/** Asks the team to approve the app. @throws {ServiceError} `conflict` for somebody who has asked for many */
export async function askForApproval(
  context: EdgeContext,
  service: Service,
  { actor }: BrowserSession,
  { client }: AuthorizationRequest,
): Promise<void> {
  const { address, requestId } = context.var;
  await invoke(service, operations.askForApp, actor, shownApp(client), { address, requestId });
}
