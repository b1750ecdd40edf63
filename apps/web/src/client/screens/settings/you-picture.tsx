import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { useChange } from "../../api/change.ts";
import { bootQuery } from "../../api/queries.ts";
import { settingsWords } from "../../app/settings-words.ts";
import { Face } from "../../parts/face.tsx";
import { PicturePart } from "./picture-part.tsx";

/** The reader's picture, which others see beside their name. */
export function Picture(): ReactElement {
  const { user, picture } = useQuery(bootQuery).data;
  const set = useChange("auth.picture.set");
  const remove = useChange("auth.picture.remove");
  return (
    <PicturePart
      words={settingsWords.picture}
      isSet={picture !== null}
      onSet={(image) => set.mutateAsync({ image })}
      onRemove={() => remove.mutateAsync({})}
    >
      <Face userId={user.id} name={user.name} picture={picture} />
    </PicturePart>
  );
}
