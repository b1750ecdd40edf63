import { type ReactElement, useState } from "react";
import { useChange } from "../../api/change.ts";
import { notify } from "../../app/notices.ts";
import { settingsWords } from "../../app/settings-words.ts";
import { EditDialog } from "../../parts/form/edit-dialog.tsx";
import { CheckField, TextField } from "../../parts/form/fields.tsx";
import { useSubmit } from "../../parts/form/use-submit.ts";
import { type Named, TagReaders } from "./tag-readers.tsx";

/** A tag as the page shows it: `list` has those who see a restricted one; a new tag has no id. */
export type EditedTag = {
  readonly id: string | undefined;
  readonly name: string;
  readonly color: string | null;
  readonly documentCount: number;
  readonly list: { readonly groups: readonly Named[]; readonly users: readonly Named[] } | undefined;
};

/** The color that the field begins with; any other can be chosen. */
const firstColor = "#0b6b5f";

/** Asks for the name and the color of a tag, and for those who see a restricted one. */
export function TagDialog({ tag, onClose }: { readonly tag: EditedTag; readonly onClose: () => void }): ReactElement {
  const { tags: words } = settingsWords;
  const save = useSaveTag(tag);
  const [name, setName] = useState(tag.name);
  const [color, setColor] = useState(tag.color);
  const [list, setList] = useState(tag.list);
  const submission = useSubmit(["name", "color", "groupIds", "userIds"], async () => {
    await save({ name, color, list });
    notify({ text: words.tagSaved(name) });
    onClose();
  });
  const newTitle = tag.list === undefined ? words.newTitle : words.newRestrictedTitle;
  return (
    <EditDialog
      title={tag.id === undefined ? newTitle : words.editTitle(tag.name)}
      submission={submission}
      submitLabel={tag.id === undefined ? words.submit : words.save}
      onClose={onClose}
    >
      <TextField
        name="name"
        label={words.name}
        help={tag.id !== undefined && list === undefined ? words.nameHelp : undefined}
        required
        maxLength={64}
        autoFocus
        value={name}
        onChange={setName}
      />
      <CheckField
        label={words.noColor}
        checked={color === null}
        onChange={(isNone) => setColor(isNone ? null : firstColor)}
      />
      {color !== null && <TextField name="color" label={words.color} type="color" value={color} onChange={setColor} />}
      {list !== undefined && <TagReaders list={list} onChange={setList} />}
    </EditDialog>
  );
}

/** Returns a function that saves a tag: its name and color, and its list, each by the operation that has it. */
function useSaveTag({ id, name: nameBefore, color: colorBefore, list: listBefore }: EditedTag) {
  const create = useChange("tags.create");
  const update = useChange("tags.update");
  const restrict = useChange("tags.restrict");
  return async ({ name, color, list }: Pick<EditedTag, "name" | "color" | "list">): Promise<void> => {
    const access = list && {
      groupIds: list.groups.map((group) => group.id),
      userIds: list.users.map((user) => user.id),
    };
    if (id === undefined) {
      if (access === undefined) await create.mutateAsync({ name, ...(color !== null && { color }) });
      else await restrict.mutateAsync({ name, color, ...access });
      return;
    }
    if (access !== undefined && list !== listBefore) await restrict.mutateAsync({ id, ...access });
    if (name !== nameBefore || color !== colorBefore) await update.mutateAsync({ id, name, color });
  };
}
