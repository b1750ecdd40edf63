import { type ReactElement, useEffect, useState, useSyncExternalStore } from "react";
import type { Messages } from "../../messages/index.ts";
import { pendingChanges } from "../writing/pending-changes.ts";
import { type Connection, connectionStore, setConnection } from "./connection.ts";
import connectionBar from "./connection-bar.module.css";
import { useWords } from "./words.tsx";

/** Says what keeps the app from its service, at every width: no network, or a wait that it counts down. */
export function ConnectionBar(): ReactElement {
  const { messages } = useWords();
  const connection = useSyncExternalStore(connectionStore.subscribe, connectionStore.read);
  const seconds = useSecondsLeft(connection);
  const pending = useSyncExternalStore(pendingChanges.subscribe, pendingChanges.read);
  const text = textOf(connection, { seconds, pending }, messages);
  // Announced once: a countdown would interrupt every second.
  return (
    <>
      <div role="status" className="visually-hidden">
        {connection.kind === "busy" ? withPending(messages.busyStatus, pending, messages) : text}
      </div>
      {text !== "" && (
        <div aria-hidden="true" className={connectionBar.bar ?? ""}>
          {text}
        </div>
      )}
    </>
  );
}

type Numbers = { readonly seconds: number; readonly pending: number };

function textOf(connection: Connection, { seconds, pending }: Numbers, messages: Messages): string {
  if (connection.kind === "offline") return withPending(messages.offline, pending, messages);
  if (connection.kind !== "busy") return "";
  const wait = connection.isLimit ? messages.busy(seconds) : messages.unavailable(seconds);
  return withPending(wait, pending, messages);
}

/** Adds how many documents have changes that only this device has. */
const withPending = (text: string, pending: number, messages: Messages): string =>
  pending === 0 ? text : `${text} ${messages.pendingChanges(pending)}`;

/** Returns the seconds until the service answers again; ends the wait when they are over. */
function useSecondsLeft(connection: Connection): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (connection.kind !== "busy") return;
    setNow(Date.now());
    const timer = setInterval(() => {
      setNow(Date.now());
      if (Date.now() >= connection.until) setConnection({ kind: "connected" });
    }, 1_000);
    return () => clearInterval(timer);
  }, [connection]);
  return connection.kind === "busy" ? Math.max(1, Math.ceil((connection.until - now) / 1_000)) : 0;
}
