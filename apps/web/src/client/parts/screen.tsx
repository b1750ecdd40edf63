import { useQuery } from "@tanstack/react-query";
import { type ReactElement, type ReactNode, useEffect, useRef } from "react";
import { bootQuery } from "../api/queries.ts";
import { hasNavigated } from "../app/navigated.ts";

type ScreenProps = {
  /** The heading, and the first part of the window's title. */
  readonly title: string;
  /** Stands before the heading, such as breadcrumbs. */
  readonly before?: ReactNode;
  /** Stands beside the heading. */
  readonly actions?: ReactNode;
  readonly isWide?: boolean;
  readonly emoji?: string | null;
  readonly children: ReactNode;
};

/**
 * The main part of the page. After moving to it within the app, the heading has the focus, so that a screen reader
 * says where the reader is.
 */
export function Screen({ title, before, actions, isWide = false, emoji = null, children }: ScreenProps): ReactElement {
  const heading = useRef<HTMLHeadingElement>(null);
  const { data } = useQuery(bootQuery);
  useEffect(() => {
    document.title = `${title} · ${data.team.name}`;
    if (hasNavigated()) heading.current?.focus({ preventScroll: true });
  }, [title, data.team.name]);
  return (
    <main id="main" className="main" tabIndex={-1}>
      <div className={isWide ? "column wide" : "column"}>
        {before}
        <div className="title-row">
          <h1 tabIndex={-1} ref={heading} dir="auto">
            {emoji !== null && <span aria-hidden="true">{emoji} </span>}
            {title}
          </h1>
          {actions}
        </div>
        {children}
      </div>
    </main>
  );
}
