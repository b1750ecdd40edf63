import { useQuery } from "@tanstack/react-query";
import { type ReactElement, useState } from "react";
import { useChange } from "../../api/change.ts";
import type { OutputOf } from "../../api/contract.ts";
import { operationQuery } from "../../api/operation-query.ts";
import { notify } from "../../app/notices.ts";
import { settingsWords } from "../../app/settings-words.ts";
import { ConfirmAction } from "../../parts/form/confirm-action.tsx";
import { Loading } from "../../parts/loading.tsx";
import { When } from "../../parts/when.tsx";
import { useAct } from "./use-act.ts";
import { useHas } from "./use-page-list.ts";

/** The switch by which members connect only approved apps, and the apps that they asked for; for those who manage assistants. */
export function AppApproval({ isRequired }: { readonly isRequired: boolean }): ReactElement | null {
  const { approval: words } = settingsWords;
  const act = useAct();
  const update = useChange("team.update");
  if (!useHas("developer.mcp")) return null;
  const turn = (): void =>
    act(() => update.mutateAsync({ appApprovalRequired: !isRequired }), isRequired ? words.nowFree : words.nowRequired);
  return (
    <section>
      <h2>{words.title}</h2>
      <p>{isRequired ? words.isRequired : words.isFree}</p>
      <button type="button" className="button" onClick={turn}>
        {isRequired ? words.free : words.require}
      </button>
      {isRequired && <AppRequests />}
    </section>
  );
}

/** The most requests that the page shows: those that wait come first. */
const shown = 100;

function AppRequests(): ReactElement {
  const { approval: words, assistants } = settingsWords;
  const refuse = useChange("oauth.apps.refuse");
  const [refused, setRefused] = useState<Request>();
  const nameOf = ({ name }: Request): string => name ?? assistants.unnamed;
  const requests = useQuery(operationQuery("oauth.apps.requests", { limit: shown }));
  if (requests.data === undefined) return <Loading query={requests} />;
  if (requests.data.data.length === 0) return <p className="quiet">{words.empty}</p>;
  return (
    <>
      <ul className="rows" aria-label={words.title}>
        {requests.data.data.map((request) => (
          <RequestRow key={request.id} request={request} name={nameOf(request)} onRefuse={() => setRefused(request)} />
        ))}
      </ul>
      {refused !== undefined && (
        <ConfirmAction
          title={refused.approvedAt === null ? words.refuseOf(nameOf(refused)) : words.withdrawOf(nameOf(refused))}
          text={words.refuseText}
          action={refused.approvedAt === null ? words.refuse : words.withdraw}
          run={async () => {
            await refuse.mutateAsync({ id: refused.id });
            notify({ text: words.nowRefused(nameOf(refused)) });
          }}
          onClose={() => setRefused(undefined)}
        />
      )}
    </>
  );
}

type Request = OutputOf<"oauth.apps.requests">["data"][number];

type RequestRowProps = { readonly request: Request; readonly name: string; readonly onRefuse: () => void };

function RequestRow({ request, name, onRefuse }: RequestRowProps): ReactElement {
  const { approval: words } = settingsWords;
  const act = useAct();
  const approve = useChange("oauth.apps.approve");
  const { id, user, createdAt, approvedAt, redirectUris } = request;
  const isApproved = approvedAt !== null;
  return (
    <li>
      <div className="row-text">
        <span className="row-title">
          <span dir="auto">{name}</span> {isApproved && <span className="tag">{words.approved}</span>}
        </span>
        <span className="row-detail facts">
          <span>{words.askedBy(user.name)}</span>
          <span>
            <When time={createdAt} />
          </span>
          {redirectUris.map((address) => (
            <span key={address} dir="ltr">
              {address}
            </span>
          ))}
        </span>
      </div>
      <div className="row-actions">
        {!isApproved && (
          <button
            type="button"
            className="button primary"
            aria-label={words.approveOf(name)}
            onClick={() => act(() => approve.mutateAsync({ id }), words.nowApproved(name))}
          >
            {words.approve}
          </button>
        )}
        <button
          type="button"
          className="button"
          aria-label={isApproved ? words.withdrawOf(name) : words.refuseOf(name)}
          onClick={onRefuse}
        >
          {isApproved ? words.withdraw : words.refuse}
        </button>
      </div>
    </li>
  );
}
