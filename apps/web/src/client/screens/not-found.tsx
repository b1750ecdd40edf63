import { Link } from "@tanstack/react-router";
import { type ReactElement, useLayoutEffect, useRef, useState } from "react";
import { notify } from "../app/notices.ts";
import { useWords } from "../app/words.tsx";
import { Administrators } from "../parts/administrators.tsx";
import { copyText } from "../parts/copy-text.ts";
import { copyKeys } from "../parts/keys.tsx";
import { Screen } from "../parts/screen.tsx";

type NotFoundProps = {
  /** Whether the reader is known to lack the permission, so that somebody can grant it. */
  readonly isForbidden?: boolean;
};

/** The page for an address that leads to nothing that this reader may see. */
export function NotFound({ isForbidden = false }: NotFoundProps): ReactElement {
  const { messages } = useWords();
  return (
    <Screen title={messages.notFoundTitle}>
      <p>{messages.notFound}</p>
      {isForbidden && <AskForAccess />}
      <p className="quiet">{messages.notFoundHelp}</p>
      <p className="buttons">
        <Link to="/" className="button">
          {messages.goHome}
        </Link>
        <Link to="/search" className="button">
          {messages.search}
        </Link>
      </p>
    </Screen>
  );
}

/** Says whom to ask, and has the address to send them. */
function AskForAccess(): ReactElement {
  const { messages } = useWords();
  const address = useRef<HTMLElement>(null);
  const [refusals, setRefusals] = useState(0);
  useLayoutEffect(() => {
    if (refusals > 0 && address.current !== null) getSelection()?.selectAllChildren(address.current);
  }, [refusals]);
  const copy = async (): Promise<void> => {
    if (await copyText(location.href)) return notify({ text: messages.linkCopied });
    setRefusals((times) => times + 1);
    notify({ text: messages.copyAddressByHand(copyKeys), isFailure: true });
  };
  return (
    <>
      <p>{messages.askOwner}</p>
      <Administrators />
      <p>
        <button type="button" className="button" onClick={() => void copy()}>
          {messages.copyAddress}
        </button>
      </p>
      {refusals > 0 && (
        <p>
          <code ref={address} dir="ltr">
            {location.href}
          </code>
        </p>
      )}
    </>
  );
}
