import { operations } from "@kb/core";
import { type Row, route } from "@kb/http";

const section = "Webhooks";
const subscription = { url: "https://hooks.example.com/wiki", events: ["document.*", "collection.updated"] };

/** Lists the rows of webhooks: one for API keys, the others for the app. */
export function webhookRoutes(): Row[] {
  return [
    route("get", "/api/v1/webhooks", operations.listWebhooks, { section }),
    route("post", "/api/webhooks.list", operations.listWebhooksInApp, { section }),
    route("post", "/api/webhooks.info", operations.getWebhook, { section }),
    route("post", "/api/webhooks.create", operations.createWebhook, {
      section,
      status: 201,
      idempotencyKey: false,
      example: subscription,
    }),
    route("post", "/api/webhooks.update", operations.updateWebhook, { section, example: { id: "$id", enabled: true } }),
    route("post", "/api/webhooks.delete", operations.deleteWebhook, { section }),
    route("post", "/api/webhooks.rotateSecret", operations.rotateWebhookSecret, { section, idempotencyKey: false }),
    route("post", "/api/webhooks.test", operations.testWebhook, { section }),
    route("post", "/api/webhooks.deliveries", operations.listDeliveries, { section, body: "output" }),
    route("post", "/api/webhooks.redeliver", operations.redeliver, { section }),
  ];
}
