import { useQuery } from "@tanstack/react-query";
import { type ReactElement, useState } from "react";
import { useChange } from "../../api/change.ts";
import type { OutputOf } from "../../api/contract.ts";
import { operationQuery } from "../../api/operation-query.ts";
import { settingsWords } from "../../app/settings-words.ts";
import { CopyField } from "../../parts/form/copy-field.tsx";
import { ModalDialog } from "../../parts/modal-dialog.tsx";
import { When } from "../../parts/when.tsx";
import { useAct } from "./use-act.ts";

type Waiting = OutputOf<"users.emailChanges">[number];
type Links = OutputOf<"users.emailChangeLinks">["links"];
type Shown = { readonly change: Waiting; readonly links: Links };

/** The changes of address whose links an admin hands over, because no mails are sent here. Nothing without any. */
export function EmailChangeLinks(): ReactElement | null {
  const { email: words } = settingsWords;
  const waiting = useQuery(operationQuery("users.emailChanges", {}));
  const create = useChange("users.emailChangeLinks");
  const act = useAct();
  const [shown, setShown] = useState<Shown>();
  const open = (change: Waiting): void =>
    act(async () => setShown({ change, links: (await create.mutateAsync({ id: change.id })).links }), words.linksMade);
  if (waiting.data === undefined || waiting.data.length === 0) return null;
  return (
    <section>
      <h2>{words.waitingTitle}</h2>
      <p className="quiet">{words.waitingText}</p>
      <ul className="rows">
        {waiting.data.map((change) => (
          <WaitingRow key={change.id} change={change} onOpen={() => open(change)} />
        ))}
      </ul>
      {shown !== undefined && <LinksDialog {...shown} onClose={() => setShown(undefined)} />}
    </section>
  );
}

type WaitingRowProps = { readonly change: Waiting; readonly onOpen: () => void };

function WaitingRow({ change: { name, from, to, expiresAt }, onOpen }: WaitingRowProps): ReactElement {
  const { email: words } = settingsWords;
  return (
    <li>
      <div className="row-text">
        <span className="row-title">
          <bdi>{name}</bdi>
        </span>
        <span className="row-detail facts">
          <span>{words.fromTo(from, to)}</span>
          <span>
            {words.until} <When time={expiresAt} />
          </span>
        </span>
      </div>
      <div className="row-actions">
        <button type="button" className="button" aria-label={words.makeLinksOf(name)} onClick={onOpen}>
          {words.makeLinks}
        </button>
      </div>
    </li>
  );
}

function LinksDialog({ change, links, onClose }: Shown & { readonly onClose: () => void }): ReactElement {
  const { email: words, frame } = settingsWords;
  const { from, to } = change;
  return (
    <ModalDialog title={words.linksTitle}>
      <p>{words.linksText}</p>
      {links.old === null ? (
        <p>{words.hasConfirmed(from)}</p>
      ) : (
        <CopyField label={words.linkFor(from)} text={links.old} />
      )}
      {links.new === null ? <p>{words.hasConfirmed(to)}</p> : <CopyField label={words.linkFor(to)} text={links.new} />}
      <div className="buttons">
        <button type="button" className="button primary" onClick={onClose}>
          {frame.secretSaved}
        </button>
      </div>
    </ModalDialog>
  );
}
