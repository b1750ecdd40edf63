import type { ReactElement } from "react";
import { ShortcutList } from "../app/shortcut-list.tsx";
import { useWords } from "../app/words.tsx";
import { Screen } from "../parts/screen.tsx";

/** How to find things, the keys of the app, and where its documentation is. */
export function Help(): ReactElement {
  const { messages } = useWords();
  return (
    <Screen title={messages.help}>
      <section className="part">
        <h2>{messages.helpFinding}</h2>
        <p>{messages.helpQuickOpen}</p>
        <p>{messages.searchPrompt}</p>
      </section>
      <section className="part">
        <h2>{messages.shortcuts}</h2>
        <ShortcutList />
      </section>
      <section className="part">
        <h2>{messages.helpPrograms}</h2>
        <p>
          {messages.helpApi} <a href="/docs">{messages.documentation}</a>
        </p>
      </section>
    </Screen>
  );
}
