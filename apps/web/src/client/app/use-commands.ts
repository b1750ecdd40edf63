import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { actionsOf } from "../actions/action-names.ts";
import { useStars } from "../actions/stars.ts";
import { targetOfView } from "../actions/target.ts";
import { useActions } from "../actions/use-actions.ts";
import { bootQuery } from "../api/queries.ts";
import type { IconName } from "../icons/names.ts";
import { openDialog } from "./dialogs.ts";
import { setTheme } from "./preferences.ts";
import type { ShortcutName } from "./shortcuts.ts";
import { useCreate } from "./use-create.ts";
import { useCurrentView } from "./use-current-view.ts";
import { useWords } from "./words.tsx";

/** Something that quick open does. */
export type Command = {
  readonly id: string;
  readonly icon: IconName;
  readonly label: string;
  /** The keys that do the same. */
  readonly shortcut?: ShortcutName | undefined;
  readonly run: () => void;
};

/**
 * Returns the commands whose names contain every word of the query, those of the open document first. Collections have one
 * once a word is typed: a team has hundreds of them.
 */
export function useCommands(query: string): Command[] {
  const { locale } = useWords();
  const words = query.toLocaleLowerCase(locale).split(/\s+/);
  const all = [...useDocumentCommands(), ...useAppCommands(), ...useCollectionCommands(query !== "")];
  return all.filter(({ label }) => words.every((word) => label.toLocaleLowerCase(locale).includes(word)));
}

function useDocumentCommands(): Command[] {
  const { messages } = useWords();
  const view = useCurrentView();
  const stars = useStars();
  const { run } = useActions();
  if (view === undefined) return [];
  const target = targetOfView(view);
  const isStarred = stars.some(({ id }) => id === target.id);
  const isTrashed = view.document.deletedAt !== null;
  return actionsOf(target, messages, { isStarred, isTrashed, isPage: true }).map(({ name, icon, label, shortcut }) => ({
    id: `document ${name}`,
    icon,
    label,
    shortcut,
    run: () => void run(name, target),
  }));
}

function useAppCommands(): Command[] {
  const { messages } = useWords();
  const navigate = useNavigate();
  const create = useCreate();
  const { data: app } = useQuery(bootQuery);
  const themes = { light: messages.themeLight, dark: messages.themeDark, system: messages.themeSystem };
  return [
    ...(create === undefined
      ? []
      : [
          {
            id: "create",
            icon: "plus" as const,
            label: messages.newDocument,
            shortcut: "create" as const,
            run: () => create(),
          },
        ]),
    ...(app.abilities.createCollection
      ? [
          {
            id: "create collection",
            icon: "plus" as const,
            label: messages.newCollection,
            run: () => openDialog({ name: "createCollection" }),
          },
        ]
      : []),
    { id: "home", icon: "home", label: messages.goToHome, shortcut: "home", run: () => void navigate({ to: "/" }) },
    {
      id: "find",
      icon: "search",
      label: messages.goToSearch,
      shortcut: "search",
      run: () => void navigate({ to: "/search", search: {} }),
    },
    {
      id: "drafts",
      icon: "draft",
      label: messages.goToDrafts,
      shortcut: "drafts",
      run: () => void navigate({ to: "/drafts" }),
    },
    {
      id: "trash",
      icon: "trash",
      label: messages.goToTrash,
      shortcut: "trash",
      run: () => void navigate({ to: "/trash" }),
    },
    {
      id: "shortcuts",
      icon: "help",
      label: messages.shortcuts,
      shortcut: "help",
      run: () => openDialog({ name: "shortcuts" }),
    },
    ...(["light", "dark", "system"] as const).map((theme) => ({
      id: `theme ${theme}`,
      icon: "appearance" as const,
      label: messages.themeCommand(themes[theme]),
      run: () => setTheme(theme),
    })),
  ];
}

function useCollectionCommands(isWanted: boolean): Command[] {
  const { messages } = useWords();
  const navigate = useNavigate();
  const { data } = useQuery(bootQuery);
  if (!isWanted) return [];
  const shown = data.collections.filter(({ archivedAt }) => archivedAt === null);
  return shown.map(({ id, name }) => ({
    id: `collection ${id}`,
    icon: "collection",
    label: messages.goToCollection(name),
    run: () => void navigate({ to: "/collections/$collectionId", params: { collectionId: id } }),
  }));
}
