import { type ReactElement, type ReactNode, useState } from "react";
import type { PictureWords } from "../../../messages/settings/en/picture.ts";
import styles from "./picture.module.css";
import { PictureDialog } from "./picture-dialog.tsx";
import { useAct } from "./use-act.ts";

type PicturePartProps = {
  readonly words: PictureWords;
  /** The picture as it is now. */
  readonly children: ReactNode;
  readonly isSet: boolean;
  /** Whether all of a wide image may be shown, and its corners. */
  readonly isLogo?: boolean;
  /** Sets the picture, an image file in Base64. */
  readonly onSet: (image: string) => Promise<unknown>;
  readonly onRemove: () => Promise<unknown>;
};

/** Shows a picture, and lets the reader choose and remove it. */
export function PicturePart(props: PicturePartProps): ReactElement {
  const { words, children, isSet, isLogo = false, onSet, onRemove } = props;
  const [isOpen, setOpen] = useState(false);
  const act = useAct();
  return (
    <section>
      <h2>{words.heading}</h2>
      <p className="quiet">{words.help}</p>
      <div className={styles.own}>
        {children}
        <div className="buttons">
          <button type="button" className="button" onClick={() => setOpen(true)}>
            {isSet ? words.change : words.choose}
          </button>
          {isSet && (
            <button type="button" className="button" onClick={() => act(onRemove, words.removed)}>
              {words.remove}
            </button>
          )}
        </div>
      </div>
      {isOpen && <PictureDialog words={words} isLogo={isLogo} onSet={onSet} onClose={() => setOpen(false)} />}
    </section>
  );
}
