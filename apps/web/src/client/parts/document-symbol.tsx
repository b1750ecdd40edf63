import type { ReactElement } from "react";
import type { IconName } from "../icons/names.ts";
import { Icon } from "./icon.tsx";
import { shownSymbol } from "./shown-symbol.ts";

/** The emoji of a document or a collection, else an icon. */
export function DocumentSymbol({
  emoji,
  icon,
}: {
  readonly emoji: string | null;
  readonly icon: IconName;
}): ReactElement {
  const symbol = shownSymbol(emoji);
  return symbol === null ? <Icon name={icon} /> : <>{symbol}</>;
}
