import { useQuery } from "@tanstack/react-query";
import { type ReactElement, useState } from "react";
import { useChange } from "../../api/change.ts";
import { bootQuery } from "../../api/queries.ts";
import { notify } from "../../app/notices.ts";
import { settingsWords } from "../../app/settings-words.ts";
import { CheckList } from "../../parts/form/check-list.tsx";
import { EditDialog } from "../../parts/form/edit-dialog.tsx";
import { TextField } from "../../parts/form/fields.tsx";
import { useSubmit } from "../../parts/form/use-submit.ts";
import type { Group } from "./all-groups.ts";

type GroupDialogProps = {
  /** Undefined for a new group. */
  readonly group?: Group;
  readonly onClose: () => void;
};

type Capability = Group["capabilities"][number];

/** Asks for the name of a group and for what its members may do. A permission that the reader lacks stays as it is. */
export function GroupDialog({ group, onClose }: GroupDialogProps): ReactElement {
  const { groups: words } = settingsWords;
  const { user } = useQuery(bootQuery).data;
  const capabilityNames = namesOf(words.sentences);
  const create = useChange("groups.create");
  const update = useChange("groups.update");
  const [name, setName] = useState(group?.name ?? "");
  const [chosen, setChosen] = useState<string[]>(group?.capabilities ?? ["document.read"]);
  const submission = useSubmit(["name", "capabilities"], async () => {
    const capabilities = capabilityNames.filter((each) => chosen.includes(each));
    if (group === undefined) await create.mutateAsync({ name, capabilities });
    else await update.mutateAsync({ id: group.id, capabilities, ...(group.builtIn === null && { name }) });
    notify({ text: words.groupSaved(name) });
    onClose();
  });
  const holds = (each: string): boolean => user.capabilities.includes("*") || user.capabilities.includes(each);
  return (
    <EditDialog
      title={group === undefined ? words.newTitle : words.editTitle(group.name)}
      submission={submission}
      submitLabel={group === undefined ? words.submit : words.save}
      onClose={onClose}
    >
      {group === undefined || group.builtIn === null ? (
        <TextField name="name" label={words.name} required maxLength={255} autoFocus value={name} onChange={setName} />
      ) : (
        <p>{words.keepsName}</p>
      )}
      <CheckList
        name="capabilities"
        label={words.capabilities}
        options={capabilityNames.map((id) => ({
          id,
          label: words.sentences[id],
          help: holds(id) ? undefined : words.lacking,
        }))}
        chosen={chosen}
        isDisabled={(id) => !holds(id)}
        onChange={setChosen}
      />
    </EditDialog>
  );
}

/** Returns the capabilities in the order of their sentences; each has one, or the words do not compile. */
function namesOf(sentences: Readonly<Record<Capability, string>>): Capability[] {
  return Object.keys(sentences) as Capability[];
}
