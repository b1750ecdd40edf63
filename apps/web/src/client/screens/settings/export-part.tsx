import { type ReactElement, useState } from "react";
import type { BootCollection } from "../../api/contract.ts";
import { settingsWords } from "../../app/settings-words.ts";
import { useWords } from "../../app/words.tsx";
import { sizeText } from "../../parts/file-row.ts";
import { CheckField, FieldGroup, RadioField } from "../../parts/form/fields.tsx";
import { type ExportFormat, type ExportState, useExports } from "../../transfer/use-exports.ts";

type ExportPartProps = { readonly collections: readonly BootCollection[] };

/** Exports collections, each into an archive of its own, and shows how far each is. */
export function ExportPart({ collections }: ExportPartProps): ReactElement {
  const { messages } = useWords();
  const { transfer: words } = settingsWords;
  const [left, setLeft] = useState<readonly string[]>([]);
  const [format, setFormat] = useState<ExportFormat>("zip");
  const { states, end, isRunning, start, stop } = useExports();
  const saved = states.filter(({ file }) => file).length;
  const chosen = collections.filter(({ id }) => !left.includes(id));
  if (collections.length === 0) return <p className="quiet">{words.nothingToExport}</p>;
  return (
    <section>
      <h2>{words.exportTitle}</h2>
      <p className="quiet">{words.exportHelp}</p>
      <form
        className="settings-fields"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isRunning && chosen.length > 0) start(chosen, format);
        }}
      >
        <FieldGroup name="collections" label={messages.collections}>
          {collections.map(({ id, name }) => (
            <CheckField
              key={id}
              label={name}
              checked={!left.includes(id)}
              onChange={(isChosen) => setLeft(isChosen ? left.filter((each) => each !== id) : [...left, id])}
            />
          ))}
        </FieldGroup>
        <RadioField
          name="format"
          label={words.format}
          value={format}
          options={[
            { value: "zip", label: words.markdown, help: words.markdownHelp },
            { value: "html", label: words.html, help: words.htmlHelp },
          ]}
          onChange={setFormat}
        />
        <div className="buttons">
          <button type="submit" className="button primary" aria-disabled={isRunning || chosen.length === 0}>
            {words.export}
          </button>
          {isRunning && (
            <button type="button" className="button" onClick={stop}>
              {words.stop}
            </button>
          )}
        </div>
      </form>
      <ul className="rows">
        {states.map((state) => (
          <li key={state.id}>
            <ExportRow
              state={state}
              documents={collections.find(({ id }) => id === state.id)?.documentCount ?? 0}
              isRunning={isRunning}
            />
          </li>
        ))}
      </ul>
      <p role="status" className="quiet">
        {end && (end.isStopped ? words.exportStopped : words.exportEnded)(saved, end.chosen)}
      </p>
    </section>
  );
}

type ExportRowProps = { readonly state: ExportState; readonly documents: number; readonly isRunning: boolean };

function ExportRow({ state: { name, progress, file, failure }, documents, isRunning }: ExportRowProps): ReactElement {
  const { locale } = useWords();
  const { transfer: words } = settingsWords;
  if (file !== undefined) {
    return (
      <a href={file.address} download={file.name}>
        <span className="row-title" dir="auto">
          {file.name}
        </span>
        <span className="row-detail">
          {words.saved} · {sizeText(file.bytes, locale)}
        </span>
      </a>
    );
  }
  const read = progress === undefined ? words.waiting : words.received(sizeText(progress.bytes, locale));
  return (
    <div className="row-text">
      <span className="row-title" dir="auto">
        {name}
      </span>
      {failure === undefined ? (
        <>
          <span className="row-detail">{read}</span>
          {isRunning && progress !== undefined && (
            <progress
              aria-label={words.progressOf(name)}
              value={Math.min(progress.files, documents)}
              max={documents + 1}
            />
          )}
        </>
      ) : (
        <span className="row-detail" role="alert">
          {failure}
        </span>
      )}
    </div>
  );
}
