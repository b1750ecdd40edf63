import type { ReactElement } from "react";
import type { IconName } from "../icons/names.ts";
import { Icon } from "./icon.tsx";

/** The emoji of a document or a collection, else an icon. A collection's icon may also be a name, which is not shown. */
export function DocumentSymbol({
  emoji,
  icon,
}: {
  readonly emoji: string | null;
  readonly icon: IconName;
}): ReactElement {
  if (emoji === null || /^[a-z0-9-]+$/.test(emoji)) return <Icon name={icon} />;
  return <>{emoji}</>;
}
