import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type ReactElement, useState } from "react";
import { useChange } from "../../api/change.ts";
import type { OutputOf } from "../../api/contract.ts";
import { operationQuery } from "../../api/operation-query.ts";
import { bootQuery } from "../../api/queries.ts";
import { notify } from "../../app/notices.ts";
import { settingsWords } from "../../app/settings-words.ts";
import { ConfirmAction } from "../../parts/form/confirm-action.tsx";
import { CheckField } from "../../parts/form/fields.tsx";
import { ListPages, pageRequest } from "../../parts/form/list-pages.tsx";
import { Loading } from "../../parts/loading.tsx";
import { EditKey } from "./key-edit.tsx";
import { NewKey } from "./key-new.tsx";
import { SecretFacts, SecretState } from "./secret-facts.tsx";
import type { SettingsPageProps } from "./settings-page-props.ts";
import { SettingsScreen } from "./settings-screen.tsx";

const route = getRouteApi("/settings/$");

type Key = OutputOf<"apiKeys.list">["data"][number];

/** The API keys: the list, a new one, or one of them. */
export function Keys({ item }: SettingsPageProps): ReactElement {
  if (item === "new") return <NewKey />;
  return item === undefined ? <KeyList /> : <EditKey id={item} />;
}

function KeyList(): ReactElement {
  const { keys: words } = settingsWords;
  const navigate = route.useNavigate();
  const search = route.useSearch();
  const revoked = search.show === "revoked";
  const keys = useQuery(operationQuery("apiKeys.list", { revoked, ...pageRequest(search) }));
  const revoke = useChange("apiKeys.revoke");
  const [revoking, setRevoking] = useState<Key>();
  const create = (
    <Link to="/settings/$" params={{ _splat: "keys/new" }} className="button primary">
      {words.create}
    </Link>
  );
  return (
    <SettingsScreen title={words.title} actions={create}>
      <p className="quiet">{words.help}</p>
      <CheckField
        label={words.showRevoked}
        checked={revoked}
        onChange={(isShown) => void navigate({ to: ".", search: isShown ? { show: "revoked" } : {}, replace: true })}
      />
      {keys.data === undefined ? (
        <Loading query={keys} />
      ) : keys.data.data.length === 0 ? (
        <p className="quiet">{words.empty}</p>
      ) : (
        <>
          <ul className="rows">
            {keys.data.data.map((key) => (
              <KeyRow key={key.id} apiKey={key} onRevoke={() => setRevoking(key)} />
            ))}
          </ul>
          <ListPages total={keys.data.total} />
        </>
      )}
      {revoking !== undefined && (
        <ConfirmAction
          title={words.revokeTitle(revoking.name)}
          text={words.revokeText}
          action={words.revoke}
          run={async () => {
            await revoke.mutateAsync({ id: revoking.id });
            notify({ text: words.keyRevoked(revoking.name) });
          }}
          onClose={() => setRevoking(undefined)}
        />
      )}
    </SettingsScreen>
  );
}

type KeyRowProps = { readonly apiKey: Key; readonly onRevoke: () => void };

function KeyRow({ apiKey, onRevoke }: KeyRowProps): ReactElement {
  const { keys: words } = settingsWords;
  const { user } = useQuery(bootQuery).data;
  const { id, name, owner, restricted, revokedAt } = apiKey;
  const isOwn = owner.id === user.id;
  return (
    <li>
      <div className="row-text">
        <span className="row-title">
          <span dir="auto">{name}</span> {restricted && <span className="tag">{words.restricted}</span>}{" "}
          <SecretState secret={apiKey} words={words} />
        </span>
        <span className="row-detail facts">
          <span>{words.scopes[highestScope(apiKey)]}</span>
          {!isOwn && <span>{words.owner(owner.name)}</span>}
          <SecretFacts secret={apiKey} words={words} />
        </span>
      </div>
      {revokedAt === null && (
        <div className="row-actions">
          {isOwn && (
            <Link to="/settings/$" params={{ _splat: `keys/${id}` }} className="button" aria-label={words.editOf(name)}>
              {words.edit}
            </Link>
          )}
          <button type="button" className="button" aria-label={words.revokeOf(name)} onClick={onRevoke}>
            {words.revoke}
          </button>
        </div>
      )}
    </li>
  );
}

/** Returns the scope that includes the others of a key. */
function highestScope({ scopes }: Pick<Key, "scopes">): Key["scopes"][number] {
  return (["admin", "write"] as const).find((scope) => scopes.includes(scope)) ?? "read";
}
