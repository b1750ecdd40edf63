import type { ReactElement } from "react";
import type { OutputOf } from "../../api/contract.ts";
import { settingsWords } from "../../app/settings-words.ts";

type Webhook = OutputOf<"webhooks.info">;

/** Says whether a webhook is on; if the service stopped it, that it did. */
export function WebhookState({
  webhook,
}: {
  readonly webhook: Pick<Webhook, "enabled" | "disabledReason">;
}): ReactElement {
  const { webhooks: words } = settingsWords;
  if (webhook.enabled) return <span className="tag">{words.on}</span>;
  if (webhook.disabledReason === null) return <span className="tag">{words.off}</span>;
  return <span className="tag alarm">{words.disabled}</span>;
}
