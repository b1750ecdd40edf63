import type { ReactElement } from "react";
import { Keyboard } from "react-aria-components";
import { entryKeys } from "./entry-keys.ts";

/** The keys at the end of an entry of a menu. */
export const MenuKeys = ({ keys }: { readonly keys: string }): ReactElement => <Keyboard {...entryKeys(keys)} />;
