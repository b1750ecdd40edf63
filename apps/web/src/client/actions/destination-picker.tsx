import { useQuery } from "@tanstack/react-query";
import { type ReactElement, useDeferredValue, useState } from "react";
import { bootQuery, isAnswered, suggestQuery } from "../api/queries.ts";
import { useWords } from "../app/words.tsx";
import { DocumentItem } from "../parts/document-item.tsx";
import { DocumentSymbol } from "../parts/document-symbol.tsx";
import { Picker } from "../parts/picker.tsx";
import { PickerItem } from "../parts/picker-item.tsx";
import { PickerSection } from "../parts/picker-section.tsx";
import type { NewPlace } from "./create.ts";
import { PlaceReaders } from "./place-readers.tsx";
import { rememberPlace, useRecentPlaces } from "./recent-places.ts";

type DestinationPickerProps = {
  readonly label: string;
  /** The document that moves: it does not go into itself. */
  readonly without?: string;
  /** The collection in which the document may move even if nothing may be created there. */
  readonly home?: string | null;
  readonly onPick: (place: NewPlace) => void;
};

/** Asks for a place: a collection, or a document by its title. */
export function DestinationPicker({ label, without, home, onPick }: DestinationPickerProps): ReactElement {
  const { messages, locale } = useWords();
  const { data } = useQuery(bootQuery);
  const [typed, setTyped] = useState("");
  const [pointed, setPointed] = useState<string>();
  const query = useDeferredValue(typed.trim());
  const suggested = useQuery(suggestQuery(query));
  const open = data.collections.filter(
    ({ id, abilities, archivedAt }) => archivedAt === null && (abilities.createDocument || id === home),
  );
  const recent = useRecentPlaces();
  const wanted = query.toLocaleLowerCase(locale);
  const collections = open.filter(({ name }) => name.toLocaleLowerCase(locale).includes(wanted));
  const documents = (query === "" ? recent : (suggested.data ?? [])).filter(
    ({ id, collection }) => id !== without && open.some((each) => each.id === collection?.id),
  );
  const documentItems = documents.map((document) => <DocumentItem key={document.id} document={document} />);
  const pick = (key: string): void => {
    const document = documents.find(({ id }) => id === key);
    if (document?.collection) {
      rememberPlace(document.id);
      onPick({ collectionId: document.collection.id, parentId: document.id });
    }
    if (collections.some(({ id }) => id === key)) onPick({ collectionId: key, parentId: null });
  };
  // The collection of the entry that Enter takes, where other people read than at home.
  const above = documents.find(({ id }) => id === pointed)?.collection?.id;
  const place = above ?? collections.find(({ id }) => id === pointed)?.id;
  const other = open.find(({ id, abilities }) => id === place && id !== home && abilities.manage);
  return (
    <>
      <Picker
        label={label}
        listLabel={messages.places}
        typed={typed}
        onType={setTyped}
        onPick={pick}
        onPoint={home === undefined ? undefined : setPointed}
        isAnswered={typed.trim() === query && isAnswered(suggested)}
        empty={open.length === 0 ? messages.noPlace : messages.noPlaceFound}
      >
        {query === "" && documents.length > 0 && (
          <PickerSection title={messages.recentPlaces}>{documentItems}</PickerSection>
        )}
        {collections.map(({ id, name, icon }) => (
          <PickerItem key={id} id={id} name={name} symbol={<DocumentSymbol emoji={icon} icon="collection" />} />
        ))}
        {query !== "" && documentItems}
      </Picker>
      {home !== undefined && other !== undefined && <PlaceReaders key={other.id} collection={other} />}
    </>
  );
}
