import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type ReactElement, useState } from "react";
import { useChange } from "../../api/change.ts";
import type { OutputOf } from "../../api/contract.ts";
import { operationQuery } from "../../api/operation-query.ts";
import { notify } from "../../app/notices.ts";
import { settingsWords } from "../../app/settings-words.ts";
import { ConfirmAction } from "../../parts/form/confirm-action.tsx";
import { EditDialog } from "../../parts/form/edit-dialog.tsx";
import { CheckField, TextField } from "../../parts/form/fields.tsx";
import { ListPages, pageRequest } from "../../parts/form/list-pages.tsx";
import { SecretDialog } from "../../parts/form/secret-dialog.tsx";
import { useSubmit } from "../../parts/form/use-submit.ts";
import { Loading } from "../../parts/loading.tsx";
import { expiryOf, today } from "./key-expiry.ts";
import { SecretFacts, SecretState } from "./secret-facts.tsx";

type Token = OutputOf<"channelTokens.list">["data"][number];
type Layer =
  | { readonly name: "new" }
  | { readonly name: "secret"; readonly secret: string }
  | { readonly name: "revoke"; readonly token: Token };

const route = getRouteApi("/settings/$");

/** The tokens with which readers read a channel. */
export function ChannelTokens({ channelId }: { readonly channelId: string }): ReactElement {
  const { channels: words } = settingsWords;
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const revoked = search.show === "revoked";
  const tokens = useQuery(operationQuery("channelTokens.list", { channelId, revoked, ...pageRequest(search) }));
  const [layer, setLayer] = useState<Layer>();
  return (
    <section>
      <h2>{words.tokens}</h2>
      <p className="quiet">{words.tokensHelp}</p>
      <button type="button" className="button" onClick={() => setLayer({ name: "new" })}>
        {words.newToken}
      </button>
      <CheckField
        label={words.showRevoked}
        checked={revoked}
        onChange={(isShown) => void navigate({ to: ".", search: isShown ? { show: "revoked" } : {}, replace: true })}
      />
      {tokens.data === undefined ? (
        <Loading query={tokens} />
      ) : tokens.data.data.length === 0 ? (
        <p>{words.tokensEmpty}</p>
      ) : (
        <>
          <ul className="rows">
            {tokens.data.data.map((token) => (
              <TokenRow key={token.id} token={token} onRevoke={() => setLayer({ name: "revoke", token })} />
            ))}
          </ul>
          <ListPages total={tokens.data.total} />
        </>
      )}
      {layer !== undefined && <TokenDialog channelId={channelId} layer={layer} onLayer={setLayer} />}
    </section>
  );
}

type TokenRowProps = { readonly token: Token; readonly onRevoke: () => void };

function TokenRow({ token, onRevoke }: TokenRowProps): ReactElement {
  const { channels: words } = settingsWords;
  const { name, revokedAt } = token;
  return (
    <li>
      <div className="row-text">
        <span className="row-title">
          <span dir="auto">{name}</span> <SecretState secret={token} words={words} />
        </span>
        <span className="row-detail facts">
          <SecretFacts secret={token} words={words} />
        </span>
      </div>
      {revokedAt === null && (
        <div className="row-actions">
          <button type="button" className="button" aria-label={words.revokeOf(name)} onClick={onRevoke}>
            {words.revoke}
          </button>
        </div>
      )}
    </li>
  );
}

type TokenDialogProps = {
  readonly channelId: string;
  readonly layer: Layer;
  readonly onLayer: (layer: Layer | undefined) => void;
};

function TokenDialog({ channelId, layer, onLayer }: TokenDialogProps): ReactElement {
  const { channels: words } = settingsWords;
  const revoke = useChange("channelTokens.revoke");
  const close = (): void => onLayer(undefined);
  if (layer.name === "new") {
    const show = (secret: string): void => onLayer({ name: "secret", secret });
    return <NewToken channelId={channelId} onDone={show} onClose={close} />;
  }
  if (layer.name === "secret") {
    return <SecretDialog title={words.tokenMade} label={words.token} secret={layer.secret} onClose={close} />;
  }
  const { id, name } = layer.token;
  return (
    <ConfirmAction
      title={words.revokeTitle(name)}
      text={words.revokeText}
      action={words.revoke}
      run={async () => {
        await revoke.mutateAsync({ id });
        notify({ text: words.tokenRevoked(name) });
      }}
      onClose={close}
    />
  );
}

type NewTokenProps = {
  readonly channelId: string;
  readonly onDone: (token: string) => void;
  readonly onClose: () => void;
};

function NewToken({ channelId, onDone, onClose }: NewTokenProps): ReactElement {
  const { channels: words } = settingsWords;
  const create = useChange("channelTokens.create");
  const [name, setName] = useState("");
  const [day, setDay] = useState("");
  const submission = useSubmit(["name", "expiresAt"], async () => {
    const expiresAt = expiryOf(day === "" ? "never" : "date", day);
    onDone((await create.mutateAsync({ channelId, name, expiresAt })).token);
  });
  return (
    <EditDialog title={words.newTokenTitle} submission={submission} submitLabel={words.submitToken} onClose={onClose}>
      <TextField
        name="name"
        label={words.tokenName}
        help={words.tokenNameHelp}
        required
        maxLength={255}
        autoFocus
        value={name}
        onChange={setName}
      />
      <TextField
        name="expiresAt"
        label={words.tokenExpiry}
        help={words.tokenExpiryHelp}
        type="date"
        min={today()}
        value={day}
        onChange={setDay}
      />
    </EditDialog>
  );
}
