import { type ReactElement, useId, useRef, useState } from "react";
import { useWords } from "../../app/words.tsx";
import { sizeText } from "../file-row.ts";
import styles from "./form.module.css";
import { useWrong } from "./form.tsx";

type FileFieldProps = {
  readonly name: string;
  readonly label: string;
  readonly help: string;
  /** Shown after a folder was dropped, which a browser would send as an empty file. */
  readonly folderRefusal: string;
  /** The endings and types of files that may be chosen. */
  readonly accept: string;
  readonly file: File | undefined;
  readonly onChange: (file: File | undefined) => void;
};

/** A field for one file, which is chosen or dropped onto it. */
export function FileField({ name, label, help, folderRefusal, accept, file, onChange }: FileFieldProps): ReactElement {
  const { locale } = useWords();
  const id = useId();
  const wrong = useWrong(name);
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const [isFolder, setFolder] = useState(false);
  const take = (files: FileList | null): void => {
    setFolder(false);
    onChange(files?.[0]);
  };
  const problem = isFolder ? folderRefusal : wrong;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way to what the field in it does.
    <div
      className={isOver ? `${styles.field} ${styles.drop} ${styles.over}` : `${styles.field} ${styles.drop}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        if (hasFolder(event.dataTransfer)) {
          if (input.current !== null) input.current.value = "";
          onChange(undefined);
          setFolder(true);
          return;
        }
        if (event.dataTransfer.files.length === 0) return;
        // The field shows the name of the file, and checks that there is one.
        if (input.current !== null) input.current.files = event.dataTransfer.files;
        take(event.dataTransfer.files);
      }}
    >
      <label htmlFor={id}>{label}</label>
      <input
        ref={input}
        id={id}
        type="file"
        accept={accept}
        required
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}-help${problem === undefined ? "" : ` ${id}-wrong`}`}
        onChange={(event) => take(event.target.files)}
      />
      <span id={`${id}-help`} className={styles.help}>
        {file === undefined ? help : sizeText(file.size, locale)}
      </span>
      {problem !== undefined && (
        <span id={`${id}-wrong`} className={styles.wrong} role="alert">
          {problem}
        </span>
      )}
    </div>
  );
}

const hasFolder = ({ items }: DataTransfer): boolean =>
  [...items].some((item) => item.kind === "file" && item.webkitGetAsEntry()?.isDirectory === true);
