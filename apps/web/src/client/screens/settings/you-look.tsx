import { type ReactElement, useState } from "react";
import { type Locale, localeChoices } from "../../../messages/index.ts";
import { isolated } from "../../../messages/isolated.ts";
import { useChange } from "../../api/change.ts";
import {
  hasSingleKeys,
  isWritingFirst,
  quoteLanguage,
  setLocale,
  setQuoteLanguage,
  setSingleKeys,
  setTheme,
  setWritingFirst,
  themeOf,
} from "../../app/preferences.ts";
import { settingsWords } from "../../app/settings-words.ts";
import { useWords } from "../../app/words.tsx";
import { CheckField, RadioField, SelectField } from "../../parts/form/fields.tsx";
import { quoteStyles } from "../../parts/quote-styles.ts";

/** How the app looks and which keys it takes. A change takes effect at once; the theme and the language go to the profile too. */
export function Look(): ReactElement {
  const { messages, locale } = useWords();
  const { you } = settingsWords;
  const update = useChange("auth.updateProfile");
  const [theme, showTheme] = useState(themeOf);
  const [keys, showKeys] = useState(hasSingleKeys);
  const [writes, showWrites] = useState(isWritingFirst);
  const [quotes, showQuotes] = useState(quoteLanguage() ?? "");
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
        <SelectField
          name="quotes"
          label={you.quotes}
          help={you.quotesHelp}
          value={quotes}
          options={[["", you.quotesOff], ...quoteChoices(locale)]}
          onChange={(language) => {
            setQuoteLanguage(language || undefined);
            showQuotes(language);
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

/** Returns the languages of quotation marks, each with the marks themselves. */
function quoteChoices(locale: Locale): [language: string, label: string][] {
  const names = new Intl.DisplayNames(locale, { type: "language" });
  return Object.entries(quoteStyles).map(([language, [open, close, innerOpen, innerClose]]) => [
    language,
    `${names.of(language)}: ${isolated(`${open}…${close} ${innerOpen}…${innerClose}`)}`,
  ]);
}
