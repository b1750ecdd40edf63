import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { settingsWords } from "../../app/settings-words.ts";
import { useWords } from "../../app/words.tsx";
import { Screen } from "../../parts/screen.tsx";
import { usePageList } from "./use-page-list.ts";

/** The list of the pages of the settings, each with what it is for. */
export function Overview(): ReactElement {
  const { messages } = useWords();
  const { sections, pages } = settingsWords.frame;
  return (
    <Screen title={messages.settings}>
      {usePageList().map(({ section, names }) => (
        <section key={section} className="part">
          <h2>{sections[section]}</h2>
          <ul className="rows">
            {names.map((name) => (
              <li key={name}>
                <Link to="/settings/$" params={{ _splat: name }}>
                  <span className="row-title">{pages[name].name}</span>{" "}
                  <span className="row-detail">{pages[name].about}</span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </Screen>
  );
}
