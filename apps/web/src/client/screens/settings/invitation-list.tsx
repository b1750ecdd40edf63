import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import type { OutputOf } from "../../api/contract.ts";
import { operationQuery } from "../../api/operation-query.ts";
import { settingsWords } from "../../app/settings-words.ts";
import { ListPages, pageRequest } from "../../parts/form/list-pages.tsx";
import { Loading } from "../../parts/loading.tsx";
import { When } from "../../parts/when.tsx";

/** An invitation that nobody has accepted yet. */
export type Invitation = OutputOf<"invitations.list">["data"][number];

type OnOpen = (name: "resend" | "revoke", invitation: Invitation) => void;

const route = getRouteApi("/settings/$");

/** The open invitations, the latest first. */
export function InvitationList({ onOpen }: { readonly onOpen: OnOpen }): ReactElement {
  const { invitations: words } = settingsWords;
  const open = useQuery(operationQuery("invitations.list", pageRequest(route.useSearch())));
  if (open.data === undefined) return <Loading query={open} />;
  const { total, data } = open.data;
  return (
    <>
      <p className="quiet" role="status">
        {total === 0 ? words.none : words.open(total)}
      </p>
      <ul className="rows">
        {data.map((invitation) => (
          <InvitationRow key={invitation.id} invitation={invitation} onOpen={onOpen} />
        ))}
      </ul>
      <ListPages total={total} />
    </>
  );
}

/** A link to the open invitations, if there are any. */
export function InvitationsLink(): ReactElement | null {
  const total = useQuery(operationQuery("invitations.list", { limit: 1 })).data?.total ?? 0;
  if (total === 0) return null;
  return (
    <p>
      <Link to="." search={{ show: "invited" }}>
        {settingsWords.invitations.open(total)}
      </Link>
    </p>
  );
}

function InvitationRow({
  invitation,
  onOpen,
}: {
  readonly invitation: Invitation;
  readonly onOpen: OnOpen;
}): ReactElement {
  const { invitations: words } = settingsWords;
  const { email, groups, invitedBy, expiresAt, expired, mail } = invitation;
  return (
    <li>
      <div className="row-text">
        <span className="row-title">
          <span dir="ltr">{email}</span> {expired && <span className="tag alarm">{words.expired}</span>}{" "}
          {mail === "failed" && <span className="tag alarm">{words.mails.failed}</span>}
        </span>
        <span className="row-detail facts">
          {groups.map((group) => (
            <span key={group.id} dir="auto">
              {group.name}
            </span>
          ))}
          <span>{words.invitedBy(invitedBy.name)}</span>
          {mail !== "failed" && <span>{mail === null ? words.mails.none : words.mails[mail]}</span>}
          <span>
            {expired ? words.expiredOn : words.expires} <When time={expiresAt} />
          </span>
        </span>
      </div>
      <div className="row-actions">
        <button
          type="button"
          className="button"
          aria-label={words.resendOf(email)}
          onClick={() => onOpen("resend", invitation)}
        >
          {words.resend}
        </button>
        <button
          type="button"
          className="button"
          aria-label={words.revokeOf(email)}
          onClick={() => onOpen("revoke", invitation)}
        >
          {words.revoke}
        </button>
      </div>
    </li>
  );
}
