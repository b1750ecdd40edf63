import { type ReactElement, useId, useRef, useState } from "react";
import { useWords } from "../../app/words.tsx";
import { sizeText } from "../file-row.ts";
import styles from "./form.module.css";
import { useWrong } from "./form.tsx";

type FileFieldProps = {
  readonly name: string;
  readonly label: string;
  readonly help: string;
  /** The endings and types of files that may be chosen. */
  readonly accept: string;
  readonly file: File | undefined;
  readonly onChange: (file: File | undefined) => void;
};

/** A field for one file, which is chosen or dropped onto it. */
export function FileField({ name, label, help, accept, file, onChange }: FileFieldProps): ReactElement {
  const { locale } = useWords();
  const id = useId();
  const wrong = useWrong(name);
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const take = (files: FileList | null): void => onChange(files?.[0]);
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
        aria-invalid={wrong !== undefined}
        aria-describedby={`${id}-help${wrong === undefined ? "" : ` ${id}-wrong`}`}
        onChange={(event) => take(event.target.files)}
      />
      <span id={`${id}-help`} className={styles.help}>
        {file === undefined ? help : sizeText(file.size, locale)}
      </span>
      {wrong !== undefined && (
        <span id={`${id}-wrong`} className={styles.wrong}>
          {wrong}
        </span>
      )}
    </div>
  );
}
