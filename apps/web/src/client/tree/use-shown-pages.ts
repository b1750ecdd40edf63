import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useLayoutEffect, useState } from "react";
import { refreshPages } from "./level-queries.ts";
import { forgetShown, recordShown, type ShownLevel } from "./shown-pages.ts";

/** Reads pages of levels again that are out of date once their documents are on the screen. */
export function useShownPages(shown: readonly ShownLevel[]): void {
  const queries = useQueryClient();
  const [viewer] = useState(() => ({}));
  useLayoutEffect(() => recordShown(viewer, shown));
  useLayoutEffect(() => () => forgetShown(viewer), [viewer]);
  useEffect(() => {
    // A page that cannot be read stays as it is; the next refresh of the level tries again.
    for (const { place } of shown) refreshPages(queries, place).catch(() => undefined);
  });
}
