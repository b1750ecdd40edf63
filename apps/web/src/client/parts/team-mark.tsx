import { type ReactElement, useState } from "react";
import { Icon } from "./icon.tsx";
import { logoAddress } from "./picture-address.ts";

/** The version of the team's logo; null or undefined without one. */
type TeamMarkProps = { readonly logo: string | null | undefined };

/** The logo of the team, or the icon of the product. The name stands beside it, so it says nothing to screen readers. */
export function TeamMark({ logo }: TeamMarkProps): ReactElement {
  const [failed, setFailed] = useState<string>();
  if (logo === null || logo === undefined || logo === failed) return <Icon name="book" />;
  return <img className="logo" src={logoAddress(logo)} alt="" decoding="async" onError={() => setFailed(logo)} />;
}
