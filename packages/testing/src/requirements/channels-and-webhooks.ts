import { section } from "./section.ts";

const publishedDocument = section("Published document (channel view)", {
  "published.field.id": "id: string uuid",
  "published.field.title": "title: string",
  "published.field.emoji": "emoji: string or null",
  "published.field.text": "text: string or null, plain text",
  "published.field.collection-id": "collectionId: string uuid or null",
  "published.field.published-at": "publishedAt: date-time",
  "published.field.updated-at": "updatedAt: date-time",
  "published.field.markdown-text":
    "markdownText: string, optional; present only when the channel's format settings request it",
});

const published = section("Published documents (channel token)", {
  "published.purpose": "Publishing channels expose published documents to external consumers through channel tokens",
  "published.list":
    "GET /api/v1/published/{channelId}/documents: query limit, cursor, updatedSince; {data: [Published document], nextCursor: string}",
  "published.get": "GET /api/v1/published/{channelId}/documents/{id}: {data: Published document}",
  "published.cursor":
    "cursor is an ISO timestamp of the last seen updatedAt; it returns documents updated before that point",
  "published.next-cursor": "nextCursor is passed as cursor in the next request",
  "published.updated-since": "updatedSince is an ISO 8601 date-time and returns only documents updated after it",
  "published.credential": "Both endpoints are authenticated with a channel token, not a user API key",
  "published.token-scope":
    "A channel token is a separate credential, used only on the published endpoints and scoped to a single channel; it is not interchangeable with user API keys",
  "published.token-created-in-app": "A channel token is created under Settings, Publishing, Channels, Tokens",
  "published.token-mismatch": "A token that does not match the channel is refused: Forbidden",
  "published.not-found": "Published document not found or not published: Not found",
  "published.unauthorized": "Missing or invalid channel token: Unauthorized",
});

const webhooks = section("Webhook subscriptions", {
  "webhook.field.id": "id: string uuid",
  "webhook.field.team-id": "teamId: string uuid",
  "webhook.field.url": "url: string uri",
  "webhook.field.events": "events: array of string; event names the subscription listens to",
  "webhook.field.enabled": "enabled: boolean",
  "webhook.field.created-at": "createdAt: date-time",
  "webhook.field.last-delivery-at": "lastDeliveryAt: date-time or null",
  "webhooks.list.address":
    "Addresses of webhooks are complete for users with developer.webhooks; others see only the origin",
  "webhooks.list":
    "GET /api/v1/webhooks answers {data: [Webhook subscription]}; all subscriptions of the key's team; not paginated",
  "webhooks.session-only": "Create, update and delete are done through session-only /api/webhooks.* endpoints",
  "webhooks.events":
    "Webhook subscriptions notify external tooling; each subscribes to named events such as document.created and collection.updated",
});

const attachments = section("Other endpoints", {
  "attachments.upload":
    "POST /api/attachments.upload: the client registers the attachment, uploads the bytes to the returned URL, then uses the resulting public URL in Markdown",
});

/** Requirements of the contract for channels, webhooks and attachments. */
export const channelAndWebhookRequirements = { ...publishedDocument, ...published, ...webhooks, ...attachments };
