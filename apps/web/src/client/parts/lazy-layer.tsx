import type { ComponentType } from "react";
import { failureText } from "../actions/failure-text.ts";
import { isMissingModule, missingModuleError } from "../app/new-release.ts";
import { notify } from "../app/notices.ts";
import { useWords } from "../app/words.tsx";
import { type LazyComponent, lazyComponent } from "./lazy-component.tsx";

type Closable = { readonly onClose: () => void };

/**
 * Returns a menu or a dialog that loads its module when it is first opened, and shows `Meanwhile` until then. A module that does not
 * come is told in words, because nothing else would happen; the next opening asks for it again.
 */
export const lazyLayer = <Props extends Closable>(
  load: () => Promise<ComponentType<Props>>,
  Meanwhile?: ComponentType,
): LazyComponent<Props> => lazyComponent(load, { Meanwhile, useFailure });

function useFailure({ onClose }: Closable): (thrown: unknown) => void {
  const { messages } = useWords();
  return (thrown) => {
    const error = missingModuleError(thrown);
    const reload = { label: messages.reload, run: () => location.reload() };
    if (isMissingModule(error)) notify({ text: messages.newRelease, isFailure: true, action: reload });
    else notify({ text: failureText(error, messages), isFailure: true });
    onClose();
  };
}
