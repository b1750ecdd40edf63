import { useQuery } from "@tanstack/react-query";
import { type ReactElement, useState } from "react";
import { bootQuery, tagsQuery } from "../../api/queries.ts";
import { settingsWords } from "../../app/settings-words.ts";
import { CheckList } from "../../parts/form/check-list.tsx";
import { CheckField, FieldGroup, TextField } from "../../parts/form/fields.tsx";
import { Form } from "../../parts/form/form.tsx";
import { useSubmit } from "../../parts/form/use-submit.ts";
import { ChannelPreview } from "./channel-preview.tsx";

/** What is set up in a channel. */
export type ChannelValues = {
  readonly name: string;
  readonly collectionIds: string[];
  readonly tagIds: string[];
  readonly format: { readonly markdown: boolean; readonly html: boolean };
};

type ChannelFormProps = {
  /** The channel that is changed; undefined for a new one. */
  readonly id?: string;
  readonly initial: ChannelValues;
  readonly submitLabel: string;
  readonly onSave: (values: ChannelValues) => Promise<unknown>;
  readonly onCancel?: () => void;
};

/** The form of a channel: its name, what it publishes, and how. */
export function ChannelForm({ id, initial, submitLabel, onSave, onCancel }: ChannelFormProps): ReactElement {
  const { channels: words } = settingsWords;
  const { collections } = useQuery(bootQuery).data;
  const tags = useQuery(tagsQuery).data?.filter(({ restricted }) => restricted !== true) ?? [];
  const [name, setName] = useState(initial.name);
  const [collectionIds, setCollectionIds] = useState(initial.collectionIds);
  const [tagIds, setTagIds] = useState(initial.tagIds);
  const [{ markdown, html }, setFormat] = useState(initial.format);
  const submission = useSubmit(["name", "collectionIds", "tagIds"], () =>
    onSave({ name, collectionIds, tagIds, format: { markdown, html } }),
  );
  const isNarrowed = collectionIds.length > 0 || tagIds.length > 0;
  return (
    <Form submission={submission} submitLabel={submitLabel} {...(onCancel && { onCancel })}>
      <TextField name="name" label={words.name} required maxLength={255} value={name} onChange={setName} />
      <CheckList
        name="collectionIds"
        label={words.collections}
        help={words.collectionsHelp}
        options={collections.map((each) => ({ id: each.id, label: each.name }))}
        chosen={collectionIds}
        onChange={setCollectionIds}
      />
      <CheckList
        name="tagIds"
        label={words.tags}
        help={tags.length === 0 ? words.noTags : words.tagsHelp}
        options={tags.map((each) => ({ id: each.id, label: each.name }))}
        chosen={tagIds}
        onChange={setTagIds}
      />
      <FieldGroup name="format" label={words.formats} help={words.formatsHelp}>
        <CheckField
          label={words.markdown}
          checked={markdown}
          onChange={(isOn) => setFormat({ markdown: isOn, html })}
        />
        <CheckField label={words.html} checked={html} onChange={(isOn) => setFormat({ markdown, html: isOn })} />
      </FieldGroup>
      {(isNarrowed || id !== undefined) && (
        <ChannelPreview
          id={id}
          collectionIds={changed(collectionIds, initial.collectionIds, id)}
          tagIds={changed(tagIds, initial.tagIds, id)}
        />
      )}
    </Form>
  );
}

/** Returns the sources as they are saved: those that are as before stay away, because hidden and deleted ones then stay too. */
function changed(chosen: string[], before: readonly string[], id: string | undefined): string[] | undefined {
  return id !== undefined && isSameChoice(chosen, before) ? undefined : chosen;
}

/** Returns whether two choices name the same things. */
export const isSameChoice = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((id) => other.includes(id));
