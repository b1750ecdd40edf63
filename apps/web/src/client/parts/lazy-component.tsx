import { type ComponentType, type ReactElement, useEffect, useEffectEvent, useState } from "react";
import { whenLoaded } from "../app/new-release.ts";

/** A component whose module is loaded when it is first shown. */
export type LazyComponent<Props> = ComponentType<Props> & {
  /** Loads the module before the component is shown. */
  readonly preload: () => void;
};

type LazyOptions<Props> = {
  /** Is shown until the module is there. Default: nothing. */
  readonly Meanwhile?: ComponentType | undefined;
  /** A hook that returns how to tell of a module that does not come. */
  readonly useFailure: (props: Props) => (thrown: unknown) => void;
};

/**
 * Returns a component that loads its module when it is first shown; the next showing asks again for one that did not come. It does
 * without `Suspense`, because React leaves 300 ms between two contents that waited in one, also where the second module is there.
 */
export function lazyComponent<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { Meanwhile = () => null, useFailure }: LazyOptions<Props>,
): LazyComponent<Props> {
  let Loaded: ComponentType<Props> | undefined;
  const loadOnce = async (): Promise<void> => {
    Loaded ??= await load();
  };
  function Lazy(props: Props): ReactElement {
    const [isLoaded, setLoaded] = useState(Loaded !== undefined);
    const fail = useEffectEvent(useFailure(props));
    useEffect(() => {
      let isShown = true;
      whenLoaded(loadOnce()).then(
        () => isShown && setLoaded(true),
        (error) => isShown && fail(error),
      );
      return () => {
        isShown = false;
      };
    }, []);
    return isLoaded && Loaded !== undefined ? <Loaded {...props} /> : <Meanwhile />;
  }
  return Object.assign(Lazy, { preload: () => void loadOnce().catch(() => {}) });
}
