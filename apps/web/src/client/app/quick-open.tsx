import { useNavigate } from "@tanstack/react-router";
import { type ReactElement, useDeferredValue, useLayoutEffect, useState } from "react";
import { Icon } from "../parts/icon.tsx";
import { keysText } from "../parts/keys.tsx";
import { PanelDialog } from "../parts/panel-dialog.tsx";
import { Picker } from "../parts/picker.tsx";
import { PickerItem } from "../parts/picker-item.tsx";
import { PickerSection } from "../parts/picker-section.tsx";
import { quickOpenDocuments } from "./quick-open-documents.tsx";
import { shortcuts } from "./shortcuts.ts";
import { takeTypedAhead } from "./typed-ahead.tsx";
import { useCommands } from "./use-commands.ts";
import { useCreate } from "./use-create.ts";
import { useQuickOpen } from "./use-quick-open.ts";
import { useWords } from "./words.tsx";

/** The most commands beside documents, and the most after `>`. */
const fewCommands = 4;
const mostCommands = 50;
const searchKey = "search";
const createKey = "create titled";

/**
 * A field that opens documents: the latest before anything is typed, then by title, then by text; and runs commands. The last
 * entries search everything, and create a document if there is none.
 */
export function QuickOpen({ onClose }: { readonly onClose: () => void }): ReactElement {
  const { messages } = useWords();
  const navigate = useNavigate();
  const [typed, setTyped] = useState("");
  // Not before it is shown: React renders a layer some time earlier, and keys are kept until then.
  useLayoutEffect(() => setTyped(takeTypedAhead()), []);
  const wanted = useDeferredValue(typed.trim());
  const isCommand = wanted.startsWith(">");
  const query = isCommand ? "" : wanted;
  const found = useQuickOpen(query, wanted === "");
  const commands = useCommands(isCommand ? wanted.slice(1).trim() : wanted);
  const create = useCreate();
  const pick = (key: string, inNewTab: boolean): void => {
    onClose();
    const command = commands.find(({ id }) => id === key);
    if (command !== undefined) command.run();
    else if (key === createKey) create?.(query);
    else if (inNewTab) open(addressOf(key, query), "_blank", "noopener");
    else if (key === searchKey) void navigate({ to: "/search", search: { query } });
    else void navigate({ to: "/documents/$documentId", params: { documentId: key } });
  };
  const shownCommands = commands.slice(0, isCommand ? mostCommands : fewCommands);
  return (
    <PanelDialog label={messages.quickOpen} onClose={onClose}>
      <Picker
        label={messages.quickOpenPrompt}
        listLabel={messages.goTo}
        typed={typed}
        onType={setTyped}
        onPick={pick}
        isAnswered={typed.trim() === wanted && found.isFirstKnown}
        empty={messages.commandsNone}
      >
        {quickOpenDocuments(found, messages)}
        {shownCommands.length > 0 && (
          <PickerSection title={messages.commands}>
            {shownCommands.map(({ id, icon, label, shortcut }) => (
              <PickerItem
                key={id}
                id={id}
                name={label}
                symbol={<Icon name={icon} />}
                keys={shortcut && keysText(shortcuts[shortcut])}
              />
            ))}
          </PickerSection>
        )}
        {query !== "" && <PickerItem id={searchKey} name={messages.searchFor(query)} symbol={<Icon name="search" />} />}
        {create !== undefined && found.isNothing && (
          <PickerItem id={createKey} name={messages.createTitled(query)} symbol={<Icon name="plus" />} />
        )}
      </Picker>
    </PanelDialog>
  );
}

/** Returns the address of an entry. */
const addressOf = (key: string, query: string): string =>
  key === searchKey ? `/search?${new URLSearchParams({ query })}` : `/documents/${key}`;
