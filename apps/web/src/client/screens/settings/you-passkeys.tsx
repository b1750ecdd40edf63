import { useQuery } from "@tanstack/react-query";
import { type ReactElement, useState } from "react";
import { useChange } from "../../api/change.ts";
import type { OutputOf } from "../../api/contract.ts";
import { operationQuery } from "../../api/operation-query.ts";
import { knowsPasskeys } from "../../api/passkeys.ts";
import { boot } from "../../app/boot.ts";
import { notify } from "../../app/notices.ts";
import { settingsWords } from "../../app/settings-words.ts";
import { ConfirmAction } from "../../parts/form/confirm-action.tsx";
import { Loading } from "../../parts/loading.tsx";
import { When } from "../../parts/when.tsx";
import { AddPasskeyDialog, RenamePasskeyDialog } from "./passkey-dialogs.tsx";
import { RecoveryCodes } from "./second-factor-dialog.tsx";

type Passkey = OutputOf<"auth.passkeys.list">[number];

type Layer =
  | { readonly name: "add" }
  | { readonly name: "rename" | "remove"; readonly passkey: Passkey }
  | { readonly name: "codes"; readonly recoveryCodes: readonly string[] };

/** The reader's passkeys: added, renamed and removed. */
export function Passkeys(): ReactElement {
  const { passkeys: words } = settingsWords;
  const list = useQuery(operationQuery("auth.passkeys.list", {}));
  const [layer, setLayer] = useState<Layer>();
  return (
    <section>
      <h2>{words.title}</h2>
      <p className="quiet">{boot().app.passwordLogIn ? words.help : words.helpSecondStep}</p>
      {list.data === undefined ? <Loading query={list} /> : <PasskeyList passkeys={list.data} onOpen={setLayer} />}
      {knowsPasskeys() ? (
        <div className="buttons">
          <button type="button" className="button" onClick={() => setLayer({ name: "add" })}>
            {words.add}
          </button>
        </div>
      ) : (
        <p>{words.unsupported}</p>
      )}
      {layer !== undefined && <PasskeyLayer layer={layer} onLayer={setLayer} />}
    </section>
  );
}

type Layers = { readonly onLayer: (layer: Layer | undefined) => void };

function PasskeyLayer({ layer, onLayer }: Layers & { readonly layer: Layer }): ReactElement {
  const { passkeys: words } = settingsWords;
  const remove = useChange("auth.passkeys.remove");
  const close = (): void => onLayer(undefined);
  if (layer.name === "codes") return <RecoveryCodes codes={layer.recoveryCodes} onClose={close} />;
  if (layer.name === "rename") return <RenamePasskeyDialog passkey={layer.passkey} onClose={close} />;
  if (layer.name === "add") {
    const added = (recoveryCodes: readonly string[] | null): void => {
      notify({ text: words.added });
      onLayer(recoveryCodes === null ? undefined : { name: "codes", recoveryCodes });
    };
    return <AddPasskeyDialog onAdded={added} onClose={close} />;
  }
  const { id, name } = layer.passkey;
  return (
    <ConfirmAction
      title={words.removeTitle}
      text={words.removeText(name)}
      action={words.remove}
      run={async () => {
        await remove.mutateAsync({ id });
        notify({ text: words.removed });
      }}
      onClose={close}
    />
  );
}

type PasskeyListProps = { readonly passkeys: readonly Passkey[]; readonly onOpen: (layer: Layer) => void };

function PasskeyList({ passkeys, onOpen }: PasskeyListProps): ReactElement {
  const { passkeys: words } = settingsWords;
  if (passkeys.length === 0) return <p>{words.none}</p>;
  return (
    <ul className="rows">
      {passkeys.map((passkey) => (
        <PasskeyRow key={passkey.id} passkey={passkey} onOpen={onOpen} />
      ))}
    </ul>
  );
}

type PasskeyRowProps = { readonly passkey: Passkey; readonly onOpen: (layer: Layer) => void };

function PasskeyRow({ passkey, onOpen }: PasskeyRowProps): ReactElement {
  const { passkeys: words } = settingsWords;
  const { name, synced, createdAt, lastUsedAt } = passkey;
  return (
    <li>
      <div className="row-text">
        <span className="row-title">
          <bdi>{name}</bdi> {synced && <span className="tag">{words.synced}</span>}
        </span>
        <span className="row-detail facts">
          <span>
            {words.addedAt} <When time={createdAt} />
          </span>
          <span>
            {lastUsedAt === null ? (
              words.neverUsed
            ) : (
              <>
                {words.lastUsed} <When time={lastUsedAt} />
              </>
            )}
          </span>
        </span>
      </div>
      <div className="row-actions">
        <button
          type="button"
          className="button"
          aria-label={words.renameOf(name)}
          onClick={() => onOpen({ name: "rename", passkey })}
        >
          {words.rename}
        </button>
        <button
          type="button"
          className="button"
          aria-label={words.removeOf(name)}
          onClick={() => onOpen({ name: "remove", passkey })}
        >
          {words.remove}
        </button>
      </div>
    </li>
  );
}
