import { type ComponentType, type ReactElement, useState } from "react";
import { type LazyComponent, lazyComponent } from "./lazy-component.tsx";

/** Returns a page that loads its module when it is first shown, and is busy until then. A module that does not come fails the screen. */
export const lazyPage = <Props extends object>(load: () => Promise<ComponentType<Props>>): LazyComponent<Props> =>
  lazyComponent(load, { Meanwhile: BusyPage, useFailure });

/** Stands for a page that is on its way. */
export const BusyPage = (): ReactElement => (
  <>
    <main id="main" className="main" tabIndex={-1} aria-busy />
    <aside className="aside" />
  </>
);

function useFailure(): (thrown: unknown) => void {
  const [failed, setFailed] = useState<{ readonly thrown: unknown }>();
  if (failed !== undefined) throw failed.thrown;
  return (thrown) => setFailed({ thrown });
}
