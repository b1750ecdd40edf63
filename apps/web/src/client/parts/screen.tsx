import { useQuery } from "@tanstack/react-query";
import { useMatch } from "@tanstack/react-router";
import { type ReactElement, type ReactNode, useEffect, useRef } from "react";
import { bootQuery } from "../api/queries.ts";
import { hasNavigated } from "../app/navigated.ts";
import { shownSymbol } from "./shown-symbol.ts";

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

/** The address of the screen that was shown last. */
let lastPlace: string | undefined;

/**
 * The main part of the page. After moving to it within the app, the heading has the focus, so that a screen reader
 * says where the reader is. What changes at the same address, such as a title, leaves the focus where it is.
 */
export function Screen({ title, before, actions, isWide = false, emoji = null, children }: ScreenProps): ReactElement {
  const heading = useRef<HTMLHeadingElement>(null);
  const symbol = shownSymbol(emoji);
  const { data } = useQuery(bootQuery);
  const place = useMatch({ strict: false, select: ({ pathname }) => pathname });
  useEffect(() => {
    document.title = `${title} · ${data.team.name}`;
  }, [title, data.team.name]);
  useEffect(() => {
    const isNewPlace = place !== lastPlace;
    lastPlace = place;
    const isFocusLost = document.activeElement === document.body;
    if (hasNavigated() && (isNewPlace || isFocusLost)) heading.current?.focus({ preventScroll: true });
  }, [place]);
  return (
    <main id="main" className="main" tabIndex={-1}>
      <div className={isWide ? "column wide" : "column"}>
        {before}
        <div className="title-row">
          <h1 tabIndex={-1} ref={heading} dir="auto">
            {symbol !== null && <span aria-hidden="true">{symbol} </span>}
            {title}
          </h1>
          {actions}
        </div>
        {children}
      </div>
    </main>
  );
}
