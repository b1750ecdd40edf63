import type { ReactElement } from "react";
import { Navigation } from "./navigation.tsx";
import { useWords } from "./words.tsx";

/** The navigation beside the page; on narrow screens `NavigationDialog` shows it instead. */
export function Sidebar(): ReactElement {
  const { messages } = useWords();
  return (
    <nav id="kb-navigation" className="sidebar" tabIndex={-1} data-scroll-area aria-label={messages.navigation}>
      <Navigation />
    </nav>
  );
}
