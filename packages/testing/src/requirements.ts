import { assistantRequirements } from "./requirements/assistants.ts";
import { channelAndWebhookRequirements } from "./requirements/channels-and-webhooks.ts";
import { collectionAndTagRequirements } from "./requirements/collections-and-tags.ts";
import { apiDecisions } from "./requirements/decisions-api.ts";
import { appDecisions } from "./requirements/decisions-app.ts";
import { assistantDecisions } from "./requirements/decisions-assistants.ts";
import { clientDecisions } from "./requirements/decisions-authorization.ts";
import { channelAndAuditDecisions } from "./requirements/decisions-channels-and-audit.ts";
import { consentDecisions } from "./requirements/decisions-consent.ts";
import { documentDecisions } from "./requirements/decisions-documents.ts";
import { fileDecisions } from "./requirements/decisions-files.ts";
import { runningDecisions } from "./requirements/decisions-running.ts";
import { tokenDecisions } from "./requirements/decisions-tokens.ts";
import { webhookDecisions } from "./requirements/decisions-webhooks.ts";
import { documentRequirements } from "./requirements/documents.ts";
import { liveFailures } from "./requirements/live.ts";
import { onboardingRequirements } from "./requirements/onboarding.ts";
import type { Clause } from "./requirements/section.ts";
import { serviceRequirements } from "./requirements/service.ts";
import { webRequirements } from "./requirements/web.ts";

const clauses = {
  ...serviceRequirements,
  ...documentRequirements,
  ...collectionAndTagRequirements,
  ...channelAndWebhookRequirements,
  ...assistantRequirements,
  ...apiDecisions,
  ...appDecisions,
  ...channelAndAuditDecisions,
  ...consentDecisions,
  ...documentDecisions,
  ...fileDecisions,
  ...runningDecisions,
  ...assistantDecisions,
  ...clientDecisions,
  ...tokenDecisions,
  ...webhookDecisions,
  ...webRequirements,
  ...onboardingRequirements,
  ...liveFailures,
};

/** Id of a requirement. */
export type RequirementId = keyof typeof clauses;

/** Every prefix of an id that ends before a dot. */
type Prefix<Id extends string> = Id extends `${infer First}.${infer Rest}` ? First | `${First}.${Prefix<Rest>}` : never;

declare module "vitest" {
  interface TaskMeta {
    /** Requirements that the test proves. */
    proves?: readonly (RequirementId | `${Prefix<RequirementId>}.*`)[];
  }
}

/** One sentence or table row of the contract; the prefix `decision.` marks a decision on a point that it leaves open. */
export type Requirement = Clause & { readonly id: string };

/**
 * Lists every requirement of the service. A test cites the requirements that it proves in its options:
 * `it("a title left out is Untitled", { meta: { proves: ["documents.create.title-default"] } }, …)`.
 * `"document.field.*"` cites every id directly below `document.field.`, for a test that walks a whole table.
 */
export const requirements: readonly Requirement[] = Object.entries<Clause>(clauses).map(([id, clause]) => ({
  id,
  ...clause,
}));

/** Requirements that the service does not meet yet. A requirement is removed once a test cites it; none may be added. */
export const awaited: readonly RequirementId[] = [
  // MCP, OAuth and the stdio transport.
  "mcp.toggle",
];
