import { type ReactElement, useEffect, useState, useSyncExternalStore } from "react";
import type { Messages } from "../../messages/index.ts";
import { type Connection, connectionStore, setConnection } from "./connection.ts";
import connectionBar from "./connection-bar.module.css";
import { useWords } from "./words.tsx";

/** Says what keeps the app from its service, at every width: no network, or a wait that it counts down. */
export function ConnectionBar(): ReactElement {
  const { messages } = useWords();
  const connection = useSyncExternalStore(connectionStore.subscribe, connectionStore.read);
  const seconds = useSecondsLeft(connection);
  const text = textOf(connection, seconds, messages);
  // Announced once: a countdown would interrupt every second.
  return (
    <>
      <div role="status" className="visually-hidden">
        {connection.kind === "busy" ? messages.busyStatus : text}
      </div>
      {text !== "" && (
        <div aria-hidden="true" className={connectionBar.bar ?? ""}>
          {text}
        </div>
      )}
    </>
  );
}

function textOf(connection: Connection, seconds: number, messages: Messages): string {
  if (connection.kind === "offline") return messages.offline;
  if (connection.kind !== "busy") return "";
  return connection.isLimit ? messages.busy(seconds) : messages.unavailable(seconds);
}

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
