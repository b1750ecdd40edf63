import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { settingsWords } from "../../app/settings-words.ts";
import { CheckList } from "../../parts/form/check-list.tsx";
import { Loading } from "../../parts/loading.tsx";
import { allGroupsQuery } from "./all-groups.ts";

type GroupChoiceProps = {
  /** Undefined before anybody chose: the group of members. */
  readonly chosen: readonly string[] | undefined;
  readonly onChange: (chosen: string[]) => void;
};

/** The groups of a person. */
export function GroupChoice({ chosen, onChange }: GroupChoiceProps): ReactElement {
  const { people: words } = settingsWords;
  const groups = useQuery(allGroupsQuery);
  if (groups.data === undefined) return <Loading query={groups} />;
  const members = groups.data.filter(({ builtIn }) => builtIn === "members").map(({ id }) => id);
  return (
    <CheckList
      name="groupIds"
      label={words.groups}
      help={words.groupsHelp}
      options={groups.data.map(({ id, name }) => ({ id, label: name }))}
      chosen={chosen ?? members}
      onChange={onChange}
    />
  );
}
