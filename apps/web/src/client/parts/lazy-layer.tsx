import { type ComponentType, type ReactElement, useEffect, useEffectEvent, useState } from "react";
import { failureText } from "../actions/failure-text.ts";
import { isMissingModule, missingModuleError, whenLoaded } from "../app/new-release.ts";
import { notify } from "../app/notices.ts";
import { useWords } from "../app/words.tsx";

/** A menu or a dialog whose module is loaded when it is first opened. */
export type LazyLayer<Props> = ComponentType<Props> & {
  /** Loads the module before somebody opens the layer. */
  readonly preload: () => void;
};

/**
 * Returns a layer that loads its module when it is first opened, and shows `Meanwhile` until then. A module that does not
 * come is told in words, because nothing else would happen; the next opening asks for it again.
 */
export function lazyLayer<Props extends { readonly onClose: () => void }>(
  load: () => Promise<ComponentType<Props>>,
  Meanwhile: ComponentType = () => null,
): LazyLayer<Props> {
  let Loaded: ComponentType<Props> | undefined;
  function Layer(props: Props): ReactElement {
    const { messages } = useWords();
    const [isLoaded, setLoaded] = useState(Loaded !== undefined);
    const fail = useEffectEvent((thrown: unknown): void => {
      const error = missingModuleError(thrown);
      const reload = { label: messages.reload, run: () => location.reload() };
      if (isMissingModule(error)) notify({ text: messages.newRelease, isFailure: true, action: reload });
      else notify({ text: failureText(error, messages), isFailure: true });
      props.onClose();
    });
    useEffect(() => {
      let isOpen = true;
      const show = (layer: ComponentType<Props>): void => {
        Loaded = layer;
        if (isOpen) setLoaded(true);
      };
      // Another layer may have loaded it since this one was rendered.
      if (Loaded !== undefined) show(Loaded);
      else whenLoaded(load()).then(show, (error) => isOpen && fail(error));
      return () => {
        isOpen = false;
      };
    }, []);
    return isLoaded && Loaded !== undefined ? <Loaded {...props} /> : <Meanwhile />;
  }
  return Object.assign(Layer, { preload: () => void load().catch(() => {}) });
}
