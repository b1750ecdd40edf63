import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type ReactElement, useDeferredValue, useLayoutEffect, useState } from "react";
import { Header, MenuSection } from "react-aria-components";
import type { Messages } from "../../messages/index.ts";
import type { OutputOf } from "../api/contract.ts";
import { isAnswered, searchQuery, suggestQuery } from "../api/queries.ts";
import { DocumentItem } from "../parts/document-item.tsx";
import { DocumentSymbol } from "../parts/document-symbol.tsx";
import { Icon } from "../parts/icon.tsx";
import { keysText } from "../parts/keys.tsx";
import { Modal } from "../parts/modal.tsx";
import picker from "../parts/picker.module.css";
import { Picker } from "../parts/picker.tsx";
import { PickerItem } from "../parts/picker-item.tsx";
import { Snippet } from "../parts/snippet.tsx";
import { shortcuts } from "./shortcuts.ts";
import { takeTypedAhead } from "./typed-ahead.tsx";
import { useCommands } from "./use-commands.ts";
import { useWords } from "./words.tsx";

/** The most commands beside documents; with `>` before the words, all of them. */
const fewCommands = 4;
const searchKey = "search";

/** A field that opens documents by title, then by text, and runs commands. The last entry searches everything. */
export function QuickOpen({ onClose }: { readonly onClose: () => void }): ReactElement {
  const { messages } = useWords();
  const navigate = useNavigate();
  const [typed, setTyped] = useState("");
  // Not before it is shown: React renders a layer some time earlier, and keys are kept until then.
  useLayoutEffect(() => setTyped(takeTypedAhead()), []);
  const wanted = useDeferredValue(typed.trim());
  const isCommand = wanted.startsWith(">");
  const query = isCommand ? "" : wanted;
  const titles = useQuery(suggestQuery(query));
  const texts = useQuery({ ...searchQuery({ query, limit: 8 }), enabled: query !== "" });
  const commands = useCommands(isCommand ? wanted.slice(1).trim() : wanted);
  const byTitle = query === "" ? [] : (titles.data ?? []);
  const isShown = new Set(byTitle.map(({ id }) => id));
  const byText = query === "" ? [] : (texts.data?.data ?? []).filter(({ document }) => !isShown.has(document.id));
  const pick = (key: string): void => {
    onClose();
    const command = commands.find(({ id }) => id === key);
    if (command !== undefined) command.run();
    else if (key === searchKey) void navigate({ to: "/search", search: { query } });
    else void navigate({ to: "/documents/$documentId", params: { documentId: key } });
  };
  // A text found later stands below the titles, so that it changes the first entry only if there is no title.
  const isFirstKnown = isAnswered(titles) && (byTitle.length > 0 || isAnswered(texts));
  const shownCommands = query === "" ? commands : commands.slice(0, fewCommands);
  return (
    <Modal label={messages.quickOpen} onClose={onClose}>
      <Picker
        label={messages.quickOpenPrompt}
        listLabel={messages.goTo}
        typed={typed}
        onType={setTyped}
        onPick={pick}
        isAnswered={typed.trim() === wanted && isFirstKnown}
        empty={messages.commandsNone}
      >
        {documentItems({ byTitle, byText, messages })}
        {shownCommands.length > 0 && (
          <MenuSection>
            <Header className={picker.header ?? ""}>{messages.commands}</Header>
            {shownCommands.map(({ id, icon, label, shortcut }) => (
              <PickerItem
                key={id}
                id={id}
                name={label}
                symbol={<Icon name={icon} />}
                keys={shortcut && keysText(shortcuts[shortcut])}
              />
            ))}
          </MenuSection>
        )}
        {query !== "" && <PickerItem id={searchKey} name={messages.searchFor(query)} symbol={<Icon name="search" />} />}
      </Picker>
    </Modal>
  );
}

type Found = {
  readonly byTitle: OutputOf<"documents.suggest">;
  readonly byText: OutputOf<"documents.search">["data"];
  readonly messages: Messages;
};

/** The entries of documents: those whose titles fit, then those whose text does. */
function documentItems({ byTitle, byText, messages }: Found): ReactElement {
  return (
    <>
      {byTitle.map((document) => (
        <DocumentItem key={document.id} document={document} />
      ))}
      {byText.length > 0 && (
        <MenuSection>
          <Header className={picker.header ?? ""}>{messages.foundInText}</Header>
          {byText.map(({ document: { id, title, emoji }, snippet }) => (
            <PickerItem
              key={id}
              id={id}
              name={title || messages.untitled}
              symbol={<DocumentSymbol emoji={emoji} icon="page" />}
              detail={<Snippet html={snippet} />}
            />
          ))}
        </MenuSection>
      )}
    </>
  );
}
