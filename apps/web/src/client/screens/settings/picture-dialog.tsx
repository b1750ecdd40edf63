import { type ReactElement, useEffect, useId, useRef, useState } from "react";
import type { PictureWords } from "../../../messages/settings/en/picture.ts";
import { notify } from "../../app/notices.ts";
import { EditDialog } from "../../parts/form/edit-dialog.tsx";
import { FileField } from "../../parts/form/file-field.tsx";
import form from "../../parts/form/form.module.css";
import { useSubmit } from "../../parts/form/use-submit.ts";
import styles from "./picture.module.css";
import { type Crop, drawPicture, middle, mostZoom, pictureSize, writePicture, zoomOfWhole } from "./picture-crop.ts";

const accepted = "image/png,image/jpeg,image/webp,image/gif,image/avif";

type PictureDialogProps = {
  readonly words: PictureWords;
  /** Whether all of a wide image may be shown, and its corners. */
  readonly isLogo: boolean;
  readonly onSet: (image: string) => Promise<unknown>;
  readonly onClose: () => void;
};

/** Asks for an image and for the square of it that becomes the picture. Only that square is sent. */
export function PictureDialog({ words, isLogo, onSet, onClose }: PictureDialogProps): ReactElement {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { file, image, isWrong, choose } = useImage();
  const [crop, setCrop] = useState(middle);
  useEffect(() => {
    if (canvas.current !== null && image !== undefined) drawPicture(canvas.current, image, crop);
  }, [image, crop]);
  const submission = useSubmit([], async () => {
    if (canvas.current === null || image === undefined) return;
    await onSet(await writePicture(canvas.current));
    notify({ text: words.saved });
    onClose();
  });
  return (
    <EditDialog title={words.title} submission={submission} submitLabel={words.save} onClose={onClose}>
      <FileField
        name="image"
        label={words.file}
        help={words.fileHelp}
        folder={words.notAnImage}
        accept={accepted}
        file={file}
        onChange={(chosen) => {
          setCrop(middle);
          choose(chosen);
        }}
      />
      {isWrong && <p role="alert">{words.notAnImage}</p>}
      {image !== undefined && (
        <>
          <canvas
            ref={canvas}
            className={isLogo ? `${styles.preview} ${styles.logo}` : styles.preview}
            width={pictureSize}
            height={pictureSize}
            role="img"
            aria-label={words.preview}
          />
          <CropFields words={words} leastZoom={isLogo ? zoomOfWhole(image) : 1} crop={crop} onChange={setCrop} />
        </>
      )}
    </EditDialog>
  );
}

type ChosenImage = {
  readonly file: File | undefined;
  readonly image: ImageBitmap | undefined;
  /** Whether the browser cannot show the file. */
  readonly isWrong: boolean;
  readonly choose: (file: File | undefined) => void;
};

/** Keeps the file that was chosen last, as the image that it is. */
function useImage(): ChosenImage {
  const [chosen, setChosen] = useState<Pick<ChosenImage, "file" | "image"> & { readonly isWrong: boolean }>({
    file: undefined,
    image: undefined,
    isWrong: false,
  });
  const latest = useRef<File>(undefined);
  const choose = (file: File | undefined): void => {
    latest.current = file;
    setChosen({ file, image: undefined, isWrong: false });
    if (file === undefined) return;
    // A file that was chosen meanwhile wins.
    const show = (image: ImageBitmap | undefined): void => {
      if (latest.current === file) setChosen({ file, image, isWrong: image === undefined });
    };
    createImageBitmap(file).then(show, () => show(undefined));
  };
  return { ...chosen, choose };
}

type CropFieldsProps = {
  readonly words: PictureWords;
  readonly leastZoom: number;
  readonly crop: Crop;
  readonly onChange: (crop: Crop) => void;
};

function CropFields({ words, leastZoom, crop, onChange }: CropFieldsProps): ReactElement {
  return (
    <>
      <Slider
        label={words.zoom}
        min={leastZoom}
        max={mostZoom}
        value={crop.zoom}
        onChange={(zoom) => onChange({ ...crop, zoom })}
      />
      <Slider label={words.across} value={crop.across} onChange={(across) => onChange({ ...crop, across })} />
      <Slider label={words.down} value={crop.down} onChange={(down) => onChange({ ...crop, down })} />
    </>
  );
}

type SliderProps = {
  readonly label: string;
  readonly min?: number;
  readonly max?: number;
  readonly value: number;
  readonly onChange: (value: number) => void;
};

function Slider({ label, min = 0, max = 1, value, onChange }: SliderProps): ReactElement {
  const id = useId();
  return (
    <div className={form.field}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="range"
        className={styles.slider}
        // The left of an image is left in every language.
        dir="ltr"
        min={min}
        max={max}
        step={(max - min) / 50}
        value={value}
        onChange={(event) => onChange(event.target.valueAsNumber)}
      />
    </div>
  );
}
