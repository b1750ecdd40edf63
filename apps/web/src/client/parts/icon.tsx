import type { ReactElement } from "react";
import type { IconName } from "../icons/names.ts";
import { iconShapes } from "../icons/shapes.ts";

/** An icon. It repeats what the text beside it says, so it is hidden from assistive technology. */
export function Icon({ name }: { readonly name: IconName }): ReactElement {
  const directional = name === "chevron" || name === "back" ? " icon-directional" : "";
  return (
    <svg className={`icon${directional}`} viewBox="0 0 24 24" aria-hidden="true">
      <path d={iconShapes[name]} />
    </svg>
  );
}
