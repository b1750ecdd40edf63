import { Link } from "@tanstack/react-router";
import type { ReactElement, ReactNode } from "react";
import { settingsWords } from "../../app/settings-words.ts";
import { useWords } from "../../app/words.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Screen } from "../../parts/screen.tsx";
import { usePageList } from "./use-page-list.ts";

type SettingsScreenProps = {
  readonly title: string;
  /** Stands beside the heading. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
};

/** A page of the settings, beside the list of all; on narrow screens a link leads to the list. */
export function SettingsScreen({ title, actions, children }: SettingsScreenProps): ReactElement {
  return (
    <Screen title={title} before={<SettingsNavigation />} actions={actions} isWide>
      <div className="settings-content">{children}</div>
    </Screen>
  );
}

function SettingsNavigation(): ReactElement {
  const { messages } = useWords();
  const { frame } = settingsWords;
  return (
    <nav className="settings-navigation" aria-label={messages.settings}>
      <Link to="/settings/$" params={{ _splat: "" }} className="settings-back" activeOptions={{ exact: true }}>
        <Icon name="back" />
        {frame.allSettings}
      </Link>
      <ul>
        {usePageList().map(({ section, names }) => (
          <li key={section}>
            <span>{frame.sections[section]}</span>
            <ul>
              {names.map((name) => (
                <li key={name}>
                  <Link
                    to="/settings/$"
                    params={{ _splat: name }}
                    className="row-link"
                    activeProps={{ "aria-current": "page" }}
                  >
                    <span>{frame.pages[name].name}</span>
                  </Link>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </nav>
  );
}
