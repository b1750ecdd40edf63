import { useQuery } from "@tanstack/react-query";
import { type ReactElement, useState } from "react";
import { bootQuery } from "../../api/queries.ts";
import { settingsWords } from "../../app/settings-words.ts";
import { CheckList } from "../../parts/form/check-list.tsx";
import { RadioField, TextField } from "../../parts/form/fields.tsx";
import { Form } from "../../parts/form/form.tsx";
import { useSubmit } from "../../parts/form/use-submit.ts";
import { everyEvent, kinds, offeredPatterns, patternOf } from "./webhook-events.ts";

/** What is set up in a webhook. */
export type WebhookValues = {
  readonly name: string | null;
  readonly url: string;
  readonly events: string[];
  readonly collectionIds: string[];
};

type WebhookFormProps = {
  readonly initial: WebhookValues;
  readonly submitLabel: string;
  readonly onSave: (values: WebhookValues) => Promise<unknown>;
  readonly onCancel?: () => void;
};

/** The form of a webhook: its address, and what it hears about. */
export function WebhookForm({ initial, submitLabel, onSave, onCancel }: WebhookFormProps): ReactElement {
  const { webhooks: words } = settingsWords;
  const { collections } = useQuery(bootQuery).data;
  const [name, setName] = useState(initial.name ?? "");
  const [url, setUrl] = useState(initial.url);
  const [hearsAll, setHearsAll] = useState(initial.events.includes(everyEvent));
  const [events, setEvents] = useState(initial.events.filter((event) => event !== everyEvent));
  const [collectionIds, setCollectionIds] = useState(initial.collectionIds);
  const submission = useSubmit(["name", "url", "events", "collectionIds"], () =>
    onSave({ name: name === "" ? null : name, url, events: hearsAll ? [everyEvent] : events, collectionIds }),
  );
  const labelOf = (pattern: string): string => {
    const kind = kinds.find((each) => patternOf(each) === pattern);
    return kind === undefined ? pattern : words.kinds[kind];
  };
  return (
    <Form submission={submission} submitLabel={submitLabel} {...(onCancel && { onCancel })}>
      <TextField name="url" label={words.url} help={words.urlHelp} type="url" required value={url} onChange={setUrl} />
      <TextField name="name" label={words.name} help={words.nameHelp} maxLength={255} value={name} onChange={setName} />
      <RadioField
        name="reach"
        label={words.events}
        value={hearsAll ? "all" : "some"}
        options={[
          { value: "all", label: words.allEvents },
          { value: "some", label: words.someEvents },
        ]}
        onChange={(reach) => setHearsAll(reach === "all")}
      />
      {!hearsAll && (
        <CheckList
          name="events"
          label={words.someEvents}
          options={offeredPatterns(initial.events).map((id) => ({ id, label: labelOf(id) }))}
          chosen={events}
          onChange={setEvents}
        />
      )}
      <CheckList
        name="collectionIds"
        label={words.collections}
        help={words.collectionsHelp}
        options={collections.map((each) => ({ id: each.id, label: each.name }))}
        chosen={collectionIds}
        onChange={setCollectionIds}
      />
    </Form>
  );
}
