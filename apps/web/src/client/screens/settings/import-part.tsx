import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactElement, useState } from "react";
import { call } from "../../api/call.ts";
import type { BootCollection } from "../../api/contract.ts";
import { bootQuery } from "../../api/queries.ts";
import { notify } from "../../app/notices.ts";
import { settingsWords } from "../../app/settings-words.ts";
import { useWords } from "../../app/words.tsx";
import { CheckField, RadioField, SelectField, TextField } from "../../parts/form/fields.tsx";
import { FileField } from "../../parts/form/file-field.tsx";
import { Form } from "../../parts/form/form.tsx";
import { useSubmit } from "../../parts/form/use-submit.ts";
import { beginImport, type ImportTarget } from "../../transfer/begin-import.ts";
import { importFailure } from "../../transfer/import-failure.ts";
import { importsQuery } from "../../transfer/imports-query.ts";
import { ImportList } from "./import-list.tsx";

type Place = "existing" | "new";

/** Imports a file into a collection, and shows the latest imports. */
export function ImportPart(): ReactElement | null {
  const { imports: words } = settingsWords;
  const { collections, abilities } = useQuery(bootQuery).data;
  const writable = collections.filter((each) => each.abilities.createDocument);
  if (writable.length === 0 && !abilities.createCollection) return null;
  return (
    <section>
      <h2>{words.title}</h2>
      <p className="quiet">{words.help}</p>
      <ImportForm collections={writable} mayCreate={abilities.createCollection} />
      <ImportList />
    </section>
  );
}

type ImportFormProps = { readonly collections: readonly BootCollection[]; readonly mayCreate: boolean };

function ImportForm({ collections, mayCreate }: ImportFormProps): ReactElement {
  const { imports: words } = settingsWords;
  const [file, setFile] = useState<File>();
  const [round, setRound] = useState(0);
  const [place, setPlace] = useState<Place>(mayCreate ? "new" : "existing");
  const [chosenId, setChosenId] = useState(collections[0]?.id ?? "");
  const [newName, setNewName] = useState("");
  const [switches, setSwitches] = useState({ dryRun: true, update: false, publish: true });
  const begin = useBeginning();
  const submission = useSubmit(
    ["name", "size", "newCollection", "collectionId"],
    async () => {
      if (file === undefined) return;
      const isNew = place === "new";
      const target = await targetOf(isNew ? newName : undefined, chosenId, switches.dryRun);
      if (isNew && target.collectionId !== undefined) {
        // A further attempt must not create a second one.
        setPlace("existing");
        setChosenId(target.collectionId);
      }
      await begin({ file, target, ...switches });
      setFile(undefined);
      setNewName("");
      setRound((before) => before + 1);
    },
    importFailure,
  );
  return (
    <Form submission={submission} submitLabel={switches.dryRun ? words.check : words.begin}>
      <FileField
        key={round}
        name="name"
        label={words.file}
        help={words.fileHelp}
        folder={words.folder}
        accept={accepted}
        file={file}
        onChange={(chosen) => {
          setFile(chosen);
          // The name of an export is that of its collection, more often than not.
          if (chosen !== undefined) setNewName((typed) => (typed === "" ? nameWithoutEnding(chosen) : typed));
        }}
      />
      <TargetFields
        collections={collections}
        mayCreate={mayCreate}
        place={place}
        onPlace={setPlace}
        chosenId={chosenId}
        onChosen={setChosenId}
        newName={newName}
        onNewName={setNewName}
      />
      <ImportSwitches switches={switches} onChange={setSwitches} />
    </Form>
  );
}

const nameWithoutEnding = ({ name }: File): string => name.replace(/\.[^.]+$/, "").slice(0, 255);

const accepted = ".zip,.md,.markdown,.mdx,application/zip,text/markdown";

type TargetFieldsProps = ImportFormProps & {
  readonly place: Place;
  readonly onPlace: (place: Place) => void;
  readonly chosenId: string;
  readonly onChosen: (id: string) => void;
  readonly newName: string;
  readonly onNewName: (name: string) => void;
};

/** The choice of a collection, or the name of a new one. */
function TargetFields(props: TargetFieldsProps): ReactElement {
  const { imports: words } = settingsWords;
  const { collections, mayCreate, place, onPlace, chosenId, onChosen, newName, onNewName } = props;
  return (
    <>
      {mayCreate && collections.length > 0 && (
        <RadioField<Place>
          name="place"
          label={words.target}
          value={place}
          options={[
            { value: "new", label: words.newCollection },
            { value: "existing", label: words.existingCollection },
          ]}
          onChange={onPlace}
        />
      )}
      {place === "new" ? (
        <TextField
          name="newCollection"
          label={words.newName}
          required
          maxLength={255}
          value={newName}
          onChange={onNewName}
        />
      ) : (
        <SelectField
          name="collectionId"
          label={words.collection}
          value={chosenId}
          options={collections.map(({ id, name }) => [id, name] as const)}
          onChange={onChosen}
        />
      )}
    </>
  );
}

type Switches = { readonly dryRun: boolean; readonly update: boolean; readonly publish: boolean };
type ImportSwitchesProps = { readonly switches: Switches; readonly onChange: (switches: Switches) => void };

function ImportSwitches({ switches, onChange }: ImportSwitchesProps): ReactElement {
  const { imports: words } = settingsWords;
  const field = (name: keyof Switches, label: string, help: string) => (
    <CheckField
      label={label}
      help={help}
      checked={switches[name]}
      onChange={(isOn) => onChange({ ...switches, [name]: isOn })}
    />
  );
  return (
    <div>
      {field("dryRun", words.dryRun, words.dryRunHelp)}
      {field("publish", words.publish, words.publishHelp)}
      {field("update", words.update, words.updateHelp)}
    </div>
  );
}

/** Returns where to import; creates a new collection, unless nothing is written yet. */
async function targetOf(newName: string | undefined, chosenId: string, isDry: boolean): Promise<ImportTarget> {
  if (newName === undefined) return { collectionId: chosenId };
  if (isDry) return { newCollection: newName };
  return { collectionId: (await call("collections.create", { name: newName })).id };
}

/** Returns the function that begins an import. The list of imports shows the sending of its file. */
function useBeginning(): (begun: Parameters<typeof beginImport>[0]) => Promise<void> {
  const { imports: words } = settingsWords;
  const { messages } = useWords();
  const queries = useQueryClient();
  const refresh = (): Promise<void> => queries.invalidateQueries({ queryKey: importsQuery.queryKey });
  const follow = async (sending: Promise<boolean>): Promise<void> => {
    try {
      if (await sending) notify({ text: words.begun });
    } catch (error) {
      // The reader may have gone on to another page, where no list shows it.
      notify({ text: importFailure(error, messages), isFailure: true });
    }
    await refresh();
  };
  return async (begun) => {
    try {
      const { sending } = await beginImport(begun);
      void follow(sending);
    } finally {
      await refresh();
      // A new collection is there also where the import was refused.
      await queries.invalidateQueries({ queryKey: bootQuery.queryKey });
    }
  };
}
