import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type ReactElement, useState } from "react";
import { call } from "../../api/call.ts";
import { useChange } from "../../api/change.ts";
import type { OutputOf } from "../../api/contract.ts";
import { operationQuery } from "../../api/operation-query.ts";
import { notify } from "../../app/notices.ts";
import { settingsWords } from "../../app/settings-words.ts";
import { ConfirmAction } from "../../parts/form/confirm-action.tsx";
import { SecretDialog } from "../../parts/form/secret-dialog.tsx";
import { Loading } from "../../parts/loading.tsx";
import { NotFound } from "../not-found.tsx";
import { isAbsent } from "./is-absent.ts";
import { SettingsScreen } from "./settings-screen.tsx";
import { useAct } from "./use-act.ts";
import { WebhookDeliveries } from "./webhook-deliveries.tsx";
import { WebhookForm } from "./webhook-form.tsx";
import { WebhookState } from "./webhook-state.tsx";

type Webhook = OutputOf<"webhooks.info">;
type Layer = { readonly name: "rotate" | "remove" } | { readonly name: "secret"; readonly secret: string };

/** One webhook: whether it is on, its deliveries, and its settings. */
export function WebhookDetail({ id }: { readonly id: string }): ReactElement {
  const { webhooks: words } = settingsWords;
  const webhook = useQuery(operationQuery("webhooks.info", { id }));
  const update = useChange("webhooks.update");
  if (isAbsent(webhook)) return <NotFound />;
  if (webhook.data === undefined) {
    return (
      <SettingsScreen title={words.title}>
        <Loading query={webhook} />
      </SettingsScreen>
    );
  }
  const { name, url, events, collectionIds, disabledReason, enabled } = webhook.data;
  return (
    <SettingsScreen title={name ?? url}>
      <p>
        <WebhookState webhook={webhook.data} /> {name !== null && <span dir="ltr">{url}</span>}
      </p>
      {!enabled && disabledReason !== null && <p className="notice">{words.disabledBecause(disabledReason)}</p>}
      <WebhookActions webhook={webhook.data} />
      <WebhookDeliveries id={id} isEnabled={enabled} />
      <section>
        <h2>{words.edit}</h2>
        <WebhookForm
          initial={{ name, url, events, collectionIds }}
          submitLabel={words.save}
          onSave={async (values) => {
            await update.mutateAsync({ id, ...values });
            notify({ text: words.saved });
          }}
        />
      </section>
    </SettingsScreen>
  );
}

function WebhookActions({ webhook: { id, enabled } }: { readonly webhook: Webhook }): ReactElement {
  const { webhooks: words } = settingsWords;
  const act = useAct();
  const update = useChange("webhooks.update");
  const [layer, setLayer] = useState<Layer>();
  const toggle = (): void =>
    act(() => update.mutateAsync({ id, enabled: !enabled }), enabled ? words.disabledNow : words.enabled);
  return (
    <>
      <div className="buttons">
        <button type="button" className={enabled ? "button" : "button primary"} onClick={toggle}>
          {enabled ? words.disable : words.enable}
        </button>
        <button type="button" className="button" onClick={() => setLayer({ name: "rotate" })}>
          {words.rotate}
        </button>
        <button type="button" className="button alarm" onClick={() => setLayer({ name: "remove" })}>
          {words.remove}
        </button>
      </div>
      {layer !== undefined && <WebhookDialog id={id} layer={layer} onLayer={setLayer} />}
    </>
  );
}

type WebhookDialogProps = {
  readonly id: string;
  readonly layer: Layer;
  readonly onLayer: (layer: Layer | undefined) => void;
};

function WebhookDialog({ id, layer, onLayer }: WebhookDialogProps): ReactElement {
  const { webhooks: words } = settingsWords;
  const navigate = useNavigate();
  const rotate = useChange("webhooks.rotateSecret");
  const queries = useQueryClient();
  const close = (): void => onLayer(undefined);
  if (layer.name === "secret") {
    return <SecretDialog title={words.newSecret} label={words.secret} secret={layer.secret} onClose={close} />;
  }
  if (layer.name === "rotate") {
    return (
      <ConfirmAction
        title={words.rotateTitle}
        text={words.rotateText}
        action={words.rotate}
        run={() => rotate.mutateAsync({ id })}
        onDone={({ secret }) => onLayer({ name: "secret", secret })}
        onClose={close}
      />
    );
  }
  return (
    <ConfirmAction
      title={words.removeTitle}
      text={words.removeText}
      action={words.remove}
      run={async () => {
        await call("webhooks.delete", { id });
        notify({ text: words.removed });
        // Leaves before the lists are read again, because the webhook is not there any more.
        await navigate({ to: "/settings/$", params: { _splat: "webhooks" } });
        await queries.invalidateQueries();
      }}
      onClose={close}
    />
  );
}
