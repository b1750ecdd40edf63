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
import { describeBrowser } from "./describe-browser.ts";

type Session = OutputOf<"auth.sessions.list">[number];

/** The browsers in which the reader is logged in. Each but this one can be logged out from here. */
export function Sessions(): ReactElement {
  const { you } = settingsWords;
  const sessions = useQuery(operationQuery("auth.sessions.list", {}));
  const revoke = useChange("auth.sessions.revoke");
  const [ending, setEnding] = useState<Session>();
  return (
    <section>
      <h2>{you.sessions}</h2>
      <p className="quiet">{you.sessionsHelp}</p>
      {sessions.data === undefined ? (
        <Loading query={sessions} />
      ) : (
        <ul className="rows">
          {sessions.data.map((session) => (
            <SessionRow key={session.id} session={session} onEnd={() => setEnding(session)} />
          ))}
        </ul>
      )}
      {ending !== undefined && (
        <ConfirmAction
          title={you.endSessionTitle}
          text={you.endSessionText(nameOf(ending))}
          action={you.endSession}
          run={async () => {
            await revoke.mutateAsync({ id: ending.id });
            notify({ text: you.sessionEnded });
          }}
          onClose={() => setEnding(undefined)}
        />
      )}
    </section>
  );
}

type SessionRowProps = { readonly session: Session; readonly onEnd: () => void };

function SessionRow({ session, onEnd }: SessionRowProps): ReactElement {
  const { you } = settingsWords;
  const { current, address, createdAt, lastSeenAt } = session;
  const name = nameOf(session);
  return (
    <li>
      <div className="row-text">
        <span className="row-title">
          {name} {current && <span className="tag">{you.thisBrowser}</span>}
        </span>
        <span className="row-detail facts">
          <span>
            {you.lastSeen} <When time={lastSeenAt} form="minute" />
          </span>
          <span>
            {you.loggedInSince} <When time={createdAt} form="minute" /> {address !== null && you.fromAddress(address)}
          </span>
        </span>
      </div>
      {!current && (
        <div className="row-actions">
          <button type="button" className="button" aria-label={you.endSessionOf(name)} onClick={onEnd}>
            {you.endSession}
          </button>
        </div>
      )}
    </li>
  );
}

function nameOf({ userAgent }: Session): string {
  const { you } = settingsWords;
  const { browser, system } = describeBrowser(userAgent);
  if (browser === undefined) return system ?? you.unknownBrowser;
  return system === undefined ? browser : you.browserOn(browser, system);
}
