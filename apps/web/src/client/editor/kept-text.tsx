import { type ReactElement, useCallback, useState, useSyncExternalStore } from "react";
import { onReturn } from "../app/connection.ts";
import { lazyLayer } from "../parts/lazy-layer.tsx";
import type { KeptListProps } from "./kept-list.tsx";
import type { OpenEditor } from "./open-editor.ts";

const none: readonly string[] = [];
const KeptList = lazyLayer<KeptListProps & { readonly onClose: () => void }>(
  async () => (await import("./kept-list.tsx")).KeptList,
);

/** Loads the list of text without a place, which may be needed while the service is away. */
export const loadKeptList = KeptList.preload;

type KeptTextProps = Pick<KeptListProps, "origin"> & { readonly opened: OpenEditor | undefined };

/** Shows the writer's text that no longer has a place in the document, until they have taken or dismissed it. */
export function KeptText({ opened, origin }: KeptTextProps): ReactElement | null {
  const session = opened?.session;
  const [attempt, setAttempt] = useState(0);
  const subscribe = useCallback(
    (listener: () => void) => session?.on("orphans", listener) ?? (() => undefined),
    [session],
  );
  const texts = useSyncExternalStore(subscribe, () => session?.orphans ?? none);
  if (opened === undefined || texts.length === 0) return null;
  /** A list that could not be loaded is asked for again once the service is there. */
  const retry = (): void => {
    const end = onReturn(() => {
      end();
      setAttempt((count) => count + 1);
    });
  };
  return <KeptList key={attempt} opened={opened} texts={[...new Set(texts)]} origin={origin} onClose={retry} />;
}
