import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactElement, useState } from "react";
import type { View } from "../api/contract.ts";
import { viewQuery } from "../api/queries.ts";
import { boot } from "../app/boot.ts";
import { useWords } from "../app/words.tsx";
import dialog from "../parts/dialog.module.css";
import { Icon } from "../parts/icon.tsx";
import { Loading } from "../parts/loading.tsx";
import { Picker } from "../parts/picker.tsx";
import { PickerItem } from "../parts/picker-item.tsx";
import type { DialogProps } from "./dialog-props.ts";
import { FormDialog } from "./form-dialog.tsx";
import { saveTags } from "./save-tags.ts";
import { createKey, isRestrictedKey, managesTags, tagChoices, tagsQueries } from "./tag-choices.ts";
import styles from "./tags-dialog.module.css";

/** Asks for the tags of a document. */
export function TagsDialog({ target, onClose }: DialogProps): ReactElement {
  const view = useQuery(viewQuery(target.id));
  const known = useQuery(tagsQueries.all);
  const hidden = useQuery(tagsQueries.restricted);
  // A list that changes on its own would leave the field pointing at an entry that is gone.
  if (view.data === undefined || known.isLoading || hidden.isLoading) return <Loading query={view} />;
  return <TagsForm view={view.data} onClose={onClose} />;
}

type TagsFormProps = { readonly view: View; readonly onClose: () => void };

/** Restricted tags have a lock: only their own people see them, and they are saved apart from the document. */
function TagsForm({ view: { document, restrictedTags }, onClose }: TagsFormProps): ReactElement {
  const { messages } = useWords();
  const queries = useQueryClient();
  const [names, setNames] = useState<readonly string[]>(document.tags);
  const [restricted, setRestricted] = useState(restrictedTags.map(({ id, name }) => ({ id, name })));
  const [typed, setTyped] = useState("");
  const { data: known = [] } = useQuery(tagsQueries.all);
  const { data: hidden = [] } = useQuery(tagsQueries.restricted);
  const chosen = { names, restrictedIds: restricted.map(({ id }) => id) };
  const choices = tagChoices({ typed, known, hidden, chosen, mostTags: boot().app.limits.maxTags });
  const pick = (key: string): void => {
    setTyped("");
    const choice = choices.find((each) => each.key === key);
    if (choice === undefined) return;
    if (choice.restrictedId === undefined) setNames([...names, choice.name]);
    else setRestricted([...restricted, { id: choice.restrictedId, name: choice.name }]);
  };
  const save = async (): Promise<void> => {
    const unclear = managesTags()
      ? []
      : known.filter(({ name }) => names.includes(name) && !document.tags.includes(name));
    const restrictedBefore = restrictedTags.map((tag) => tag.id);
    await saveTags({ id: document.id, names, unclear, restrictedIds: chosen.restrictedIds, restrictedBefore });
    await queries.invalidateQueries();
  };
  return (
    <FormDialog title={messages.tagsTitle} submitLabel={messages.save} onSubmit={save} onClose={onClose}>
      <ul className={styles.chosen} aria-label={messages.tags}>
        {names.map((name) => (
          <TagChip key={name} name={name} onRemove={() => setNames(names.filter((each) => each !== name))} />
        ))}
        {restricted.map(({ id, name }) => (
          <TagChip
            key={id}
            name={name}
            isRestricted
            onRemove={() => setRestricted(restricted.filter((each) => each.id !== id))}
          />
        ))}
      </ul>
      <div className={dialog.add}>
        <Picker
          label={messages.tagsPrompt}
          listLabel={messages.tags}
          typed={typed}
          onType={setTyped}
          onPick={pick}
          maxLength={64}
          empty={messages.tagsNone}
        >
          {choices.map(({ key, name, count }) => (
            <PickerItem
              key={key}
              id={key}
              name={key === createKey ? messages.tagCreate(name) : name}
              symbol={<Icon name={isRestrictedKey(key) ? "lock" : key === createKey ? "plus" : "tag"} />}
              {...(isRestrictedKey(key) && { detail: messages.tagRestricted })}
              {...(count !== undefined && { detail: messages.documentCount(count) })}
            />
          ))}
        </Picker>
      </div>
    </FormDialog>
  );
}

type TagChipProps = { readonly name: string; readonly isRestricted?: boolean; readonly onRemove: () => void };

function TagChip({ name, isRestricted = false, onRemove }: TagChipProps): ReactElement {
  const { messages } = useWords();
  return (
    <li className={styles.chip}>
      {isRestricted && <Icon name="lock" />}
      <span dir="auto">{name}</span>
      {isRestricted && <span className="visually-hidden">{messages.tagRestricted}</span>}
      <button type="button" className="icon-button" aria-label={messages.tagRemove(name)} onClick={onRemove}>
        <Icon name="close" />
      </button>
    </li>
  );
}
