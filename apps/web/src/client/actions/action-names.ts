import type { Messages } from "../../messages/index.ts";
import type { ShortcutName } from "../app/shortcuts.ts";
import type { IconName } from "../icons/names.ts";
import type { Target } from "./target.ts";

/** Actions on a document, in the order of its menu. */
const actions = {
  newInside: { icon: "plus", label: "newInside" },
  edit: { icon: "draft", label: "editAction", shortcut: "edit" },
  rename: { icon: "rename", label: "renameAction" },
  emoji: { icon: "emoji", label: "emojiAction" },
  tags: { icon: "tag", label: "tagsAction" },
  move: { icon: "move", label: "moveAction", shortcut: "move" },
  star: { icon: "star", label: "star", shortcut: "star" },
  unstar: { icon: "star", label: "unstar", shortcut: "star" },
  history: { icon: "history", label: "history", shortcut: "history" },
  copyLink: { icon: "link", label: "copyLink" },
  print: { icon: "print", label: "print", shortcut: "print" },
  publish: { icon: "publish", label: "publish" },
  unpublish: { icon: "draft", label: "unpublish" },
  archive: { icon: "archive", label: "archiveAction" },
  unarchive: { icon: "archive", label: "unarchive" },
  trash: { icon: "trash", label: "moveToTrash" },
} as const satisfies Record<string, { icon: IconName; label: keyof Messages; shortcut?: ShortcutName }>;

/** The name of an action. */
export type ActionName = keyof typeof actions;

/** An action as menus show it. */
export type Action = {
  readonly name: ActionName;
  readonly icon: IconName;
  readonly label: string;
  /** The keys that do the same on the page of the document. */
  readonly shortcut?: ShortcutName | undefined;
};

type Situation = {
  readonly isStarred: boolean;
  /** Whether the document is the page that is shown. */
  readonly isPage?: boolean;
  readonly isTrashed?: boolean;
};

/** Returns the actions that the reader may take on a document now. */
export function actionsOf(target: Target, messages: Messages, situation: Situation): Action[] {
  const { abilities, isDraft, isArchived } = target;
  const { isStarred, isPage = false, isTrashed = false } = situation;
  const canEdit = abilities.edit && !isArchived;
  const applies: Readonly<Record<ActionName, boolean>> = {
    newInside: abilities.createChild && !isArchived,
    edit: canEdit,
    rename: canEdit,
    emoji: canEdit,
    tags: canEdit,
    move: canEdit,
    star: !isStarred && !isTrashed,
    unstar: isStarred && !isTrashed,
    history: isPage && !isTrashed,
    copyLink: true,
    print: isPage,
    publish: abilities.publish && isDraft && !isArchived,
    unpublish: abilities.publish && !isDraft && !isArchived,
    archive: abilities.archive,
    unarchive: abilities.unarchive,
    trash: abilities.delete,
  };
  return names
    .filter((name) => applies[name])
    .map((name) => {
      const action = actions[name];
      const shortcut = isPage && "shortcut" in action ? action.shortcut : undefined;
      return { name, icon: action.icon, label: messages[action.label], shortcut };
    });
}

const names = Object.keys(actions).filter((name): name is ActionName => name in actions);
