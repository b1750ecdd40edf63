import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { actionsOf } from "../actions/action-names.ts";
import { starsQuery } from "../actions/stars.ts";
import { targetOfView } from "../actions/target.ts";
import { useActions } from "../actions/use-actions.ts";
import { bootQuery } from "../api/queries.ts";
import type { IconName } from "../icons/names.ts";
import { setTheme } from "./preferences.ts";
import { useCreate } from "./use-create.ts";
import { useCurrentView } from "./use-current-view.ts";
import { useWords } from "./words.tsx";

/** Something that quick open does. */
export type Command = {
  readonly id: string;
  readonly icon: IconName;
  readonly label: string;
  readonly run: () => void;
};

/** Returns the commands whose names contain every word of the query, those of the open document first. */
export function useCommands(query: string): Command[] {
  const { locale } = useWords();
  const words = query.toLocaleLowerCase(locale).split(/\s+/);
  const all = [...useDocumentCommands(), ...useAppCommands()];
  return all.filter(({ label }) => words.every((word) => label.toLocaleLowerCase(locale).includes(word)));
}

function useDocumentCommands(): Command[] {
  const { messages } = useWords();
  const view = useCurrentView();
  const { data: stars } = useQuery(starsQuery);
  const { run } = useActions();
  if (view === undefined) return [];
  const target = targetOfView(view);
  const isStarred = stars.some(({ id }) => id === target.id);
  const isTrashed = view.document.deletedAt !== null;
  return actionsOf(target, messages, { isStarred, isTrashed, isPage: true }).map(({ name, icon, label }) => ({
    id: `document ${name}`,
    icon,
    label,
    run: () => void run(name, target),
  }));
}

function useAppCommands(): Command[] {
  const { messages } = useWords();
  const navigate = useNavigate();
  const create = useCreate();
  const { data } = useQuery(bootQuery);
  const themes = { light: messages.themeLight, dark: messages.themeDark, system: messages.themeSystem };
  const canCreate = data.collections.some(({ abilities }) => abilities.createDocument);
  return [
    ...(canCreate ? [{ id: "create", icon: "plus" as const, label: messages.newDocument, run: create }] : []),
    { id: "home", icon: "home", label: messages.goToHome, run: () => void navigate({ to: "/" }) },
    { id: "find", icon: "search", label: messages.goToSearch, run: () => void navigate({ to: "/search", search: {} }) },
    ...(["light", "dark", "system"] as const).map((theme) => ({
      id: `theme ${theme}`,
      icon: "appearance" as const,
      label: messages.themeCommand(themes[theme]),
      run: () => setTheme(theme),
    })),
    ...data.collections
      .filter(({ archivedAt }) => archivedAt === null)
      .map(({ id, name }) => ({
        id: `collection ${id}`,
        icon: "collection" as const,
        label: messages.goToCollection(name),
        run: () => void navigate({ to: "/collections/$collectionId", params: { collectionId: id } }),
      })),
  ];
}
