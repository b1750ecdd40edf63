import { useQueryClient } from "@tanstack/react-query";
import { type ReactElement, useEffect, useState, useSyncExternalStore } from "react";
import { bootQuery } from "../api/queries.ts";
import { ModalDialog } from "../parts/modal-dialog.tsx";
import { connectionStore, setConnection } from "./connection.ts";
import { dialogStore } from "./dialogs.ts";
import { afterTyping } from "./typing.ts";
import { useWords } from "./words.tsx";

/** Stands in front of the page of somebody whose session has ended. The page stays as it is, and continues after a log-in. */
export function LogInAgain(): ReactElement | null {
  const { kind } = useSyncExternalStore(connectionStore.subscribe, connectionStore.read);
  const open = useSyncExternalStore(dialogStore.subscribe, dialogStore.read);
  // Somebody who is about to log out finishes that first: a dialog in front of it could not be closed.
  const isNeeded = kind === "loggedOut" && open?.name !== "logOut";
  return useAfterTyping(isNeeded) ? <LogInDialog /> : null;
}

/** Returns whether something that takes the focus is needed, and takes it from nobody in the middle of a word. */
function useAfterTyping(isNeeded: boolean): boolean {
  const [isReady, setReady] = useState(false);
  useEffect(() => {
    setReady(false);
    return isNeeded ? afterTyping(() => setReady(true)) : undefined;
  }, [isNeeded]);
  return isNeeded && isReady;
}

function LogInDialog(): ReactElement {
  const { messages } = useWords();
  const queries = useQueryClient();
  useEffect(() => {
    const resume = async (): Promise<void> => {
      // Another user's page loads anew; the same user's has the token of the new session afterwards.
      await queries.fetchQuery({ ...bootQuery, staleTime: 0, retry: false });
      setConnection({ kind: "connected" });
      await queries.invalidateQueries();
    };
    const check = (): void => {
      if (!document.hidden) resume().catch(() => {});
    };
    addEventListener("focus", check);
    document.addEventListener("visibilitychange", check);
    return () => {
      removeEventListener("focus", check);
      document.removeEventListener("visibilitychange", check);
    };
  }, [queries]);
  return (
    <ModalDialog title={messages.loggedOutTitle}>
      <p>{messages.loggedOut}</p>
      <div className="buttons">
        <a className="button primary" href="/login?return_to=/logged-in" target="_blank" rel="noreferrer">
          {messages.logInAgain}
        </a>
      </div>
    </ModalDialog>
  );
}
