import { type ReactElement, useState } from "react";
import { localeChoices } from "../../../messages/index.ts";
import { useChange } from "../../api/change.ts";
import {
  hasSingleKeys,
  isWritingFirst,
  setLocale,
  setSingleKeys,
  setTheme,
  setWritingFirst,
  themeOf,
} from "../../app/preferences.ts";
import { settingsWords } from "../../app/settings-words.ts";
import { useWords } from "../../app/words.tsx";
import { CheckField, RadioField, SelectField } from "../../parts/form/fields.tsx";

/** How the app looks and which keys it takes. A change takes effect at once; the theme and the language go to the profile too. */
export function Look(): ReactElement {
  const { messages, locale } = useWords();
  const { you } = settingsWords;
  const update = useChange("auth.updateProfile");
  const [theme, showTheme] = useState(themeOf);
  const [keys, showKeys] = useState(hasSingleKeys);
  const [writes, showWrites] = useState(isWritingFirst);
  return (
    <section>
      <h2>{you.look}</h2>
      <p className="quiet">{you.onlyHere}</p>
      <div className="settings-fields">
        <RadioField
          name="theme"
          label={you.theme}
          value={theme}
          options={[
            { value: "system", label: messages.themeSystem },
            { value: "light", label: messages.themeLight },
            { value: "dark", label: messages.themeDark },
          ]}
          onChange={(chosen) => {
            setTheme(chosen);
            showTheme(chosen);
            update.mutate({ theme: chosen });
          }}
        />
        <SelectField
          name="locale"
          label={you.language}
          value={locale}
          options={localeChoices}
          onChange={(language) => update.mutate({ language }, { onSettled: () => setLocale(language) })}
        />
        <CheckField
          label={you.writingFirst}
          help={you.writingFirstHelp}
          checked={writes}
          onChange={(isOn) => {
            setWritingFirst(isOn);
            showWrites(isOn);
          }}
        />
        <CheckField
          label={you.singleKeys}
          help={you.singleKeysHelp}
          checked={keys}
          onChange={(isOn) => {
            setSingleKeys(isOn);
            showKeys(isOn);
          }}
        />
      </div>
    </section>
  );
}
