import { useQuery } from "@tanstack/react-query";
import { type ReactElement, useState } from "react";
import { useChange } from "../../api/change.ts";
import { bootQuery } from "../../api/queries.ts";
import { settingsWords } from "../../app/settings-words.ts";
import { Face } from "../../parts/face.tsx";
import styles from "./picture.module.css";
import { PictureDialog } from "./picture-dialog.tsx";
import { useAct } from "./use-act.ts";

/** The reader's picture, which others see beside their name. */
export function Picture(): ReactElement {
  const { picture: words } = settingsWords;
  const { user, picture } = useQuery(bootQuery).data;
  const [isOpen, setOpen] = useState(false);
  const act = useAct();
  const remove = useChange("auth.picture.remove");
  return (
    <section>
      <h2>{words.heading}</h2>
      <p className="quiet">{words.help}</p>
      <div className={styles.own}>
        <Face userId={user.id} name={user.name} picture={picture} />
        <div className="buttons">
          <button type="button" className="button" onClick={() => setOpen(true)}>
            {picture === null ? words.choose : words.change}
          </button>
          {picture !== null && (
            <button type="button" className="button" onClick={() => act(() => remove.mutateAsync({}), words.removed)}>
              {words.remove}
            </button>
          )}
        </div>
      </div>
      {isOpen && <PictureDialog onClose={() => setOpen(false)} />}
    </section>
  );
}
