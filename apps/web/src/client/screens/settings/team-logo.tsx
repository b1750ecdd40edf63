import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { useChange } from "../../api/change.ts";
import { bootQuery } from "../../api/queries.ts";
import { settingsWords } from "../../app/settings-words.ts";
import { TeamMark } from "../../parts/team-mark.tsx";
import { PicturePart } from "./picture-part.tsx";

/** The logo of the team, which stands beside its name. */
export function TeamLogo(): ReactElement {
  const { team } = useQuery(bootQuery).data;
  const set = useChange("team.setLogo");
  const remove = useChange("team.removeLogo");
  return (
    <PicturePart
      words={settingsWords.logo}
      isSet={team.logo !== null}
      isLogo
      onSet={(image) => set.mutateAsync({ image })}
      onRemove={() => remove.mutateAsync({})}
    >
      <TeamMark logo={team.logo} />
    </PicturePart>
  );
}
