import type { ReactElement } from "react";
import { boot } from "../app/boot.ts";
import type { IconName } from "../icons/names.ts";

/** An icon. It repeats what the text beside it says, so it is hidden from assistive technology. */
export function Icon({ name }: { readonly name: IconName }): ReactElement {
  const directional = name === "chevron" || name === "back" ? " icon-directional" : "";
  return (
    <svg className={`icon${directional}`} aria-hidden="true">
      <use href={`${boot().icons}#${name}`} />
    </svg>
  );
}
