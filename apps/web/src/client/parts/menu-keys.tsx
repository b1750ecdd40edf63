import type { ReactElement } from "react";
import { Keyboard } from "react-aria-components";
import menu from "./menu.module.css";

/** The keys at the end of an entry. They are written by its style: they describe the entry and are no part of its name. */
export function MenuKeys({ keys }: { readonly keys: string }): ReactElement {
  return <Keyboard className={menu.keys ?? ""} data-keys={keys} />;
}
