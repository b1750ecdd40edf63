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
import type { Clause } from "./requirements/section.ts";
import { serviceRequirements } from "./requirements/service.ts";

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
};

/** The id that a test cites in its title, in square brackets. */
export type RequirementId = keyof typeof clauses;

/** One sentence or table row of the contract (or, with the prefix `decision.`, of what it leaves open). */
export type Requirement = Clause & { readonly id: string };

/**
 * Everything that the service promises. A test proves a requirement by ending its title with the id:
 * `it("a title left out is Untitled [documents.create.title-default]", …)`. `[document.field.*]` cites every id
 * directly below `document.field.`, for a test that walks a whole table.
 */
export const requirements: readonly Requirement[] = Object.entries<Clause>(clauses).map(([id, clause]) => ({
  id,
  ...clause,
}));

/** Promises that the service does not keep yet. The list shrinks only: a test that cites one takes it out of here. */
export const awaited: readonly RequirementId[] = [
  // Published channels.
  // Webhook subscriptions and attachments.
  // MCP, OAuth and the stdio transport.
  "mcp.toggle",
];
