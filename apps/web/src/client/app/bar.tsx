import { useQuery } from "@tanstack/react-query";
import { Link, useRouterState } from "@tanstack/react-router";
import { lazy, type ReactElement, Suspense, useEffect, useState } from "react";
import { bootQuery } from "../api/queries.ts";
import { Icon } from "../parts/icon.tsx";
import { MenuButton } from "../parts/menu-button.tsx";
import { useShortcut } from "./shortcuts.ts";
import { TypedAhead } from "./typed-ahead.tsx";
import { useCreate } from "./use-create.ts";
import { useWords } from "./words.tsx";

// The widgets are loaded when somebody is about to open them: reading needs none.
const loadAccountMenu = () => import("./account-menu.tsx");
const AccountMenu = lazy(async () => ({ default: (await loadAccountMenu()).AccountMenu }));
const loadNavigation = () => import("./navigation-dialog.tsx");
const NavigationDialog = lazy(async () => ({ default: (await loadNavigation()).NavigationDialog }));
const loadQuickOpen = () => import("./quick-open.tsx");
const QuickOpen = lazy(async () => ({ default: (await loadQuickOpen()).QuickOpen }));

const idleMs = 1_500;

type Layer = "navigation" | "quickOpen" | undefined;

/** The bar at the top: the team, quick open and the user's menu. */
export function Bar(): ReactElement {
  const { messages } = useWords();
  const { data } = useQuery(bootQuery);
  const [layer, setLayer] = useState<Layer>();
  const { pathname } = useRouterState({ select: ({ location }) => location });
  const close = (): void => setLayer(undefined);
  const create = useCreate();
  const canCreate = data.collections.some(({ abilities }) => abilities.createDocument);
  useShortcut("quickOpen", () => setLayer("quickOpen"));
  useShortcut("create", () => canCreate && create());
  // Loaded when the page is at rest, so that Ctrl+K shows it at once.
  useEffect(() => {
    const timer = setTimeout(loadQuickOpen, idleMs);
    return () => clearTimeout(timer);
  }, []);
  // Following a link closes the navigation.
  useEffect(close, [pathname]);
  return (
    <header className="bar">
      <button
        type="button"
        className="bar-navigation"
        aria-label={messages.openNavigation}
        aria-haspopup="dialog"
        onClick={() => setLayer("navigation")}
        onPointerEnter={loadNavigation}
      >
        <Icon name="menu" />
      </button>
      <Link to="/" className="bar-home">
        <Icon name="book" />
        <span dir="auto">{data.team.name}</span>
      </Link>
      <div className="bar-search">
        <button
          type="button"
          aria-haspopup="dialog"
          aria-keyshortcuts="Control+K Meta+K"
          onClick={() => setLayer("quickOpen")}
          onPointerEnter={loadQuickOpen}
        >
          <Icon name="search" />
          <span>{messages.search}</span>
          <kbd>{quickOpenKey()}</kbd>
        </button>
      </div>
      <MenuButton
        label={`${messages.account}: ${data.user.name}`}
        className="bar-account"
        menu={AccountMenu}
        preload={loadAccountMenu}
      >
        <Icon name="user" />
      </MenuButton>
      <Suspense fallback={layer === "quickOpen" ? <TypedAhead /> : null}>
        {layer === "navigation" && <NavigationDialog onClose={close} />}
        {layer === "quickOpen" && <QuickOpen onClose={close} />}
      </Suspense>
    </header>
  );
}

const quickOpenKey = (): string => (/Mac|iPhone|iPad/.test(navigator.platform) ? "⌘K" : "Ctrl K");
