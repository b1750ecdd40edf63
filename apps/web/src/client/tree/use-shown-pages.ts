import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useLayoutEffect, useState, useSyncExternalStore } from "react";
import { connectionStore } from "../app/connection.ts";
import { refreshPages } from "./level-queries.ts";
import { forgetShown, recordShown, type ShownLevel } from "./shown-pages.ts";

/** Reads pages of levels again that are out of date once their documents are on the screen. */
export function useShownPages(shown: readonly ShownLevel[]): void {
  const queries = useQueryClient();
  const [viewer] = useState(() => ({}));
  useLayoutEffect(() => recordShown(viewer, shown));
  useLayoutEffect(() => () => forgetShown(viewer), [viewer]);
  const { kind } = useSyncExternalStore(connectionStore.subscribe, connectionStore.read);
  useEffect(() => {
    // While the service is away nothing is asked for; once it is back this renders again.
    if (kind !== "connected") return;
    // A page that cannot be read stays as it is for a while.
    for (const { place } of shown) refreshPages(queries, place).catch(() => undefined);
  });
}
