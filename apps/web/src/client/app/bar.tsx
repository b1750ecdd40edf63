import { useQuery } from "@tanstack/react-query";
import { Link, useRouterState } from "@tanstack/react-router";
import { type ReactElement, useEffect, useLayoutEffect, useRef, useState } from "react";
import { bootQuery } from "../api/queries.ts";
import { Face } from "../parts/face.tsx";
import { Icon } from "../parts/icon.tsx";
import { keysText } from "../parts/keys.tsx";
import { lazyLayer } from "../parts/lazy-layer.tsx";
import { MenuButton } from "../parts/menu-button.tsx";
import { TeamMark } from "../parts/team-mark.tsx";
import { usePreload } from "../parts/use-preload.ts";
import { isSidebarShown, showSidebar } from "./preferences.ts";
import { typedSearch } from "./server-page.ts";
import { ariaKeys, shortcuts } from "./shortcuts.ts";
import { beginTyped, TypedAhead } from "./typed-ahead.tsx";
import { useAppShortcuts } from "./use-app-shortcuts.ts";
import { useCreate } from "./use-create.ts";
import { useShortcut } from "./use-shortcut.ts";
import { useWords } from "./words.tsx";

// The widgets are loaded when somebody is about to open them: reading needs none.
const AccountMenu = lazyLayer(async () => (await import("./account-menu.tsx")).AccountMenu);
const NavigationDialog = lazyLayer(async () => (await import("./navigation-dialog.tsx")).NavigationDialog);
const QuickOpen = lazyLayer(async () => (await import("./quick-open.tsx")).QuickOpen, TypedAhead);

type Layer = "navigation" | "quickOpen" | undefined;

/** The bar at the top: the team, quick open and the user's menu. */
export function Bar(): ReactElement {
  const { messages } = useWords();
  const { data } = useQuery(bootQuery);
  const [layer, setLayer] = useState<Layer>();
  const { pathname } = useRouterState({ select: ({ location }) => location });
  const close = (): void => setLayer(undefined);
  const create = useCreate();
  useShortcut("quickOpen", () => setLayer("quickOpen"));
  useShortcut("create", create !== undefined && (() => create()));
  useAppShortcuts();
  const sidebar = useSidebar(() => setLayer("navigation"));
  usePreload(preloadLayers);
  // Following a link closes the navigation.
  const shownPath = useRef(pathname);
  useEffect(() => {
    if (shownPath.current !== pathname) close();
    shownPath.current = pathname;
  }, [pathname]);
  useTypedSearch(() => setLayer("quickOpen"));
  return (
    <header className="bar">
      <button
        type="button"
        className="bar-navigation"
        aria-label={messages.openNavigation}
        aria-haspopup="dialog"
        onClick={() => setLayer("navigation")}
        onPointerEnter={NavigationDialog.preload}
      >
        <Icon name="menu" />
      </button>
      <button
        type="button"
        className="bar-sidebar"
        aria-label={sidebar.isShown ? messages.hideNavigation : messages.showNavigation}
        aria-expanded={sidebar.isShown}
        aria-keyshortcuts={ariaKeys("sidebar")}
        onClick={sidebar.toggle}
      >
        <Icon name="sidebar" />
      </button>
      <Link to="/" className="bar-home">
        <TeamMark logo={data.team.logo} />
        <span dir="auto">{data.team.name}</span>
      </Link>
      <div className="bar-search">
        <button
          id="kb-search"
          type="button"
          aria-haspopup="dialog"
          aria-keyshortcuts={ariaKeys("quickOpen")}
          onClick={() => setLayer("quickOpen")}
          onPointerEnter={QuickOpen.preload}
        >
          <Icon name="search" />
          <span>{messages.search}</span>
          <kbd>{keysText(shortcuts.quickOpen)}</kbd>
        </button>
      </div>
      <MenuButton
        label={`${messages.account}: ${data.user.name}`}
        className="bar-account"
        menu={AccountMenu}
        preload={AccountMenu.preload}
      >
        <Face userId={data.user.id} name={data.user.name} picture={data.picture} />
      </MenuButton>
      {layer === "navigation" && <NavigationDialog onClose={close} />}
      {layer === "quickOpen" && <QuickOpen onClose={close} />}
    </header>
  );
}

/** Lets somebody who has begun to type into the search of the server's page go on in quick open. */
function useTypedSearch(open: () => void): void {
  useLayoutEffect(() => {
    const text = typedSearch();
    if (text === undefined) return;
    beginTyped(text);
    open();
  }, []);
}

/** Loads what Ctrl+K shows, and the navigation of a narrow page. */
function preloadLayers(): void {
  QuickOpen.preload();
  if (!isBeside()) NavigationDialog.preload();
}

/** Returns whether the page is wide enough for the navigation beside it. */
const isBeside = (): boolean => document.querySelector(".bar-sidebar")?.checkVisibility() === true;

/** Shows and hides the navigation beside the page by its button and its key; a narrow page opens it in front. */
function useSidebar(open: () => void): { readonly isShown: boolean; readonly toggle: () => void } {
  const [isShown, setShown] = useState(isSidebarShown);
  const toggle = (): void => {
    showSidebar(!isShown);
    setShown(!isShown);
  };
  useShortcut("sidebar", () => (isBeside() ? toggle() : open()));
  return { isShown, toggle };
}
