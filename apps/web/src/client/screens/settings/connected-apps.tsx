import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type ReactElement, useState } from "react";
import { useChange } from "../../api/change.ts";
import type { OutputOf } from "../../api/contract.ts";
import { operationQuery } from "../../api/operation-query.ts";
import { bootQuery } from "../../api/queries.ts";
import { notify } from "../../app/notices.ts";
import { settingsWords } from "../../app/settings-words.ts";
import { ConfirmAction } from "../../parts/form/confirm-action.tsx";
import { ListPages, pageRequest } from "../../parts/form/list-pages.tsx";
import { Loading } from "../../parts/loading.tsx";
import { When } from "../../parts/when.tsx";
import { useHas } from "./use-page-list.ts";

type App = OutputOf<"oauth.apps.list">["data"][number];

const route = getRouteApi("/settings/$");

/** The apps that the reader allowed; for those who manage assistants, the apps of the whole team. */
export function ConnectedApps(): ReactElement {
  const { assistants: words } = settingsWords;
  const apps = useQuery(operationQuery("oauth.apps.list", pageRequest(route.useSearch())));
  const seesTeam = useHas("developer.mcp");
  const revoke = useChange("oauth.apps.revoke");
  const [leaving, setLeaving] = useState<App>();
  const nameOf = (app: App): string => app.name ?? words.unnamed;
  return (
    <section>
      <h2>{words.apps}</h2>
      <p className="quiet">{seesTeam ? words.teamAppsHelp : words.appsHelp}</p>
      {apps.data === undefined ? (
        <Loading query={apps} />
      ) : apps.data.data.length === 0 ? (
        <p>{words.appsEmpty}</p>
      ) : (
        <>
          <ul className="rows">
            {apps.data.data.map((app) => (
              <AppRow key={app.id} app={app} name={nameOf(app)} onDisconnect={() => setLeaving(app)} />
            ))}
          </ul>
          <ListPages total={apps.data.total} />
        </>
      )}
      {leaving !== undefined && (
        <ConfirmAction
          title={words.disconnectTitle(nameOf(leaving))}
          text={words.disconnectText}
          action={words.disconnect}
          run={async () => {
            await revoke.mutateAsync({ id: leaving.id });
            notify({ text: words.disconnected(nameOf(leaving)) });
          }}
          onClose={() => setLeaving(undefined)}
        />
      )}
    </section>
  );
}

type AppRowProps = { readonly app: App; readonly name: string; readonly onDisconnect: () => void };

function AppRow({ app, name, onDisconnect }: AppRowProps): ReactElement {
  const { assistants: words } = settingsWords;
  const { user } = useQuery(bootQuery).data;
  return (
    <li>
      <div className="row-text">
        <span className="row-title" dir="auto">
          {name}
        </span>
        <span className="row-detail facts">
          <span>{words.scopes[app.scope]}</span>
          {app.user.id !== user.id && <span>{words.of(app.user.name)}</span>}
          <span>
            {words.allowed} <When time={app.createdAt} />
          </span>
          {app.lastUsedAt === null ? (
            <span>{words.neverUsed}</span>
          ) : (
            <span>
              {words.lastUsed} <When time={app.lastUsedAt} />
            </span>
          )}
        </span>
      </div>
      <div className="row-actions">
        <button type="button" className="button" aria-label={words.disconnectOf(name)} onClick={onDisconnect}>
          {words.disconnect}
        </button>
      </div>
    </li>
  );
}
