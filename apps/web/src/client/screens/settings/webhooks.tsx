import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { type ReactElement, useState } from "react";
import { useChange } from "../../api/change.ts";
import type { OutputOf } from "../../api/contract.ts";
import { operationQuery } from "../../api/operation-query.ts";
import { settingsWords } from "../../app/settings-words.ts";
import { SecretDialog } from "../../parts/form/secret-dialog.tsx";
import { Loading } from "../../parts/loading.tsx";
import { When } from "../../parts/when.tsx";
import type { SettingsPageProps } from "./settings-page-props.ts";
import { SettingsScreen } from "./settings-screen.tsx";
import { WebhookDetail } from "./webhook-detail.tsx";
import { everyEvent } from "./webhook-events.ts";
import { WebhookForm } from "./webhook-form.tsx";
import { WebhookState } from "./webhook-state.tsx";

type Webhook = OutputOf<"webhooks.manage">[number];

/** The webhooks: the list, a new one, or one of them with its deliveries. */
export function Webhooks({ item }: SettingsPageProps): ReactElement {
  if (item === "new") return <NewWebhook />;
  return item === undefined ? <WebhookList /> : <WebhookDetail id={item} />;
}

function WebhookList(): ReactElement {
  const { webhooks: words } = settingsWords;
  const webhooks = useQuery(operationQuery("webhooks.manage", {}));
  const create = (
    <Link to="/settings/$" params={{ _splat: "webhooks/new" }} className="button primary">
      {words.create}
    </Link>
  );
  return (
    <SettingsScreen title={words.title} actions={create}>
      <p className="quiet">{words.help}</p>
      {webhooks.data === undefined ? (
        <Loading query={webhooks} />
      ) : webhooks.data.length === 0 ? (
        <p>{words.empty}</p>
      ) : (
        <ul className="rows">
          {webhooks.data.map((webhook) => (
            <WebhookRow key={webhook.id} webhook={webhook} />
          ))}
        </ul>
      )}
    </SettingsScreen>
  );
}

function WebhookRow({ webhook }: { readonly webhook: Webhook }): ReactElement {
  const { webhooks: words } = settingsWords;
  const { id, name, url, lastDeliveryAt } = webhook;
  return (
    <li>
      <Link to="/settings/$" params={{ _splat: `webhooks/${id}` }}>
        <span className="row-title">
          <span dir="auto">{name ?? url}</span> <WebhookState webhook={webhook} />
        </span>{" "}
        <span className="row-detail facts">
          {name !== null && <span dir="ltr">{url}</span>}
          <span>
            {lastDeliveryAt === null ? (
              words.neverDelivered
            ) : (
              <>
                {words.lastDelivery} <When time={lastDeliveryAt} form="minute" />
              </>
            )}
          </span>
        </span>
      </Link>
    </li>
  );
}

function NewWebhook(): ReactElement {
  const { webhooks: words } = settingsWords;
  const navigate = useNavigate();
  const create = useChange("webhooks.create");
  const [made, setMade] = useState<{ readonly id: string; readonly secret: string }>();
  const leave = (path: string): void => void navigate({ to: "/settings/$", params: { _splat: path } });
  return (
    <SettingsScreen title={words.newTitle}>
      <WebhookForm
        initial={{ name: null, url: "", events: [everyEvent], collectionIds: [] }}
        submitLabel={words.submit}
        onSave={async (values) => setMade(await create.mutateAsync(values))}
        onCancel={() => leave("webhooks")}
      />
      {made !== undefined && (
        <SecretDialog
          title={words.newSecret}
          label={words.secret}
          secret={made.secret}
          onClose={() => leave(`webhooks/${made.id}`)}
        />
      )}
    </SettingsScreen>
  );
}
