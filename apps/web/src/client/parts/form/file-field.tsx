import { type DragEvent, type ReactElement, type ReactNode, useId, useRef, useState } from "react";
import { useWords } from "../../app/words.tsx";
import { sizeText } from "../file-row.ts";
import styles from "./form.module.css";
import { useWrong } from "./form.tsx";
import { type FolderWords, useFolder } from "./use-folder.ts";

type FileFieldProps = {
  readonly name: string;
  readonly label: string;
  readonly help: string;
  /** The endings and types of files that may be chosen. */
  readonly accept: string;
  readonly file: File | undefined;
  readonly onChange: (file: File | undefined) => void;
  /** Packs a folder that is chosen or dropped into an archive; or the sentence that refuses one, which would be sent as an empty file. */
  readonly folder: FolderWords | string;
};

/** A field for one file, which is chosen or dropped onto it. */
export function FileField({ name, label, help, accept, file, onChange, folder }: FileFieldProps): ReactElement {
  const id = useId();
  const wrong = useWrong(name);
  const input = useRef<HTMLInputElement>(null);
  const [refusal, setRefusal] = useState<string>();
  const words = typeof folder === "string" ? undefined : folder;
  const show = (files: FileList): void => {
    // The field shows the name of the file, and checks that there is one.
    if (input.current !== null) input.current.files = files;
    onChange(files[0]);
  };
  const packed = useFolder(words ?? noWords, (archive) => show(listOf(archive)));
  const take = (): void => {
    setRefusal(undefined);
    packed.leave();
  };
  const empty = (): void => {
    if (input.current !== null) input.current.value = "";
    onChange(undefined);
  };
  const drop = ({ items, files }: DataTransfer): void => {
    take();
    const dropped = folderIn(items);
    if (dropped === undefined) {
      if (files.length > 0) show(files);
      return;
    }
    empty();
    if (typeof folder === "string") setRefusal(folder);
    else packed.drop(dropped);
  };
  const problem = refusal ?? packed.problem ?? wrong;
  return (
    <DropArea onDrop={drop}>
      <label htmlFor={id}>{label}</label>
      <input
        ref={input}
        id={id}
        type="file"
        accept={accept}
        required
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}-help${problem === undefined ? "" : ` ${id}-wrong`}`}
        onChange={({ target }) => {
          take();
          onChange(target.files?.[0]);
        }}
      />
      <span id={`${id}-help`} className={styles.help}>
        {file === undefined ? help : <Size bytes={file.size} />}
      </span>
      {words !== undefined && (
        <FolderButton
          label={words.choose}
          onChoose={(files) => {
            take();
            empty();
            packed.choose(files);
          }}
        />
      )}
      {packed.isPacking && <span role="status">{words?.packing}</span>}
      {problem !== undefined && (
        <span id={`${id}-wrong`} className={styles.wrong} role="alert">
          {problem}
        </span>
      )}
    </DropArea>
  );
}

function Size({ bytes }: { readonly bytes: number }): string {
  const { locale } = useWords();
  return sizeText(bytes, locale);
}

const noWords: FolderWords = { choose: "", packing: "", empty: "", tooLarge: "", unreadable: "" };

type DropAreaProps = { readonly onDrop: (data: DataTransfer) => void; readonly children: ReactNode };

function DropArea({ onDrop, children }: DropAreaProps): ReactElement {
  const [isOver, setOver] = useState(false);
  const over = (event: DragEvent): void => {
    event.preventDefault();
    setOver(true);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way to what the field in it does.
    <div
      className={isOver ? `${styles.field} ${styles.drop} ${styles.over}` : `${styles.field} ${styles.drop}`}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        onDrop(event.dataTransfer);
      }}
    >
      {children}
    </div>
  );
}

type FolderButtonProps = { readonly label: string; readonly onChoose: (files: readonly File[]) => void };

/** Opens the browser's choice of a folder, for which there is no field that has another name and look than those of files. */
function FolderButton({ label, onChoose }: FolderButtonProps): ReactElement {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        tabIndex={-1}
        {...{ webkitdirectory: "" }}
        onChange={({ target }) => {
          const files = [...(target.files ?? [])];
          // Choosing the same folder again is a change too.
          target.value = "";
          onChoose(files);
        }}
      />
      <button type="button" className={`button ${styles.aside}`} onClick={() => input.current?.click()}>
        {label}
      </button>
    </>
  );
}

/** Returns a list with one file, as a field has it. */
function listOf(file: File): FileList {
  const data = new DataTransfer();
  data.items.add(file);
  return data.files;
}

/** Returns the first folder of what was dropped. */
function folderIn(items: DataTransferItemList): FileSystemDirectoryEntry | undefined {
  const entries = [...items].map((item) => (item.kind === "file" ? item.webkitGetAsEntry() : null));
  return entries.find((entry): entry is FileSystemDirectoryEntry => entry?.isDirectory === true);
}
