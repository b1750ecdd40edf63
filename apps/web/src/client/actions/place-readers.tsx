import { useQuery } from "@tanstack/react-query";
import { type ReactElement, useEffect, useState } from "react";
import { listOfNames } from "../../messages/list-of-names.ts";
import type { BootCollection } from "../api/contract.ts";
import { grantsQuery } from "../api/queries.ts";
import { useWords } from "../app/words.tsx";
import dialog from "../parts/dialog.module.css";

/** The readers that are named; of further ones there is the number. */
const mostNames = 5;
/** The time that somebody stays at an entry before its readers are asked for: the arrows go through hundreds of them. */
const restMs = 200;

/** Names those who read a collection to somebody who is about to move a document there. Only its managers may know them. */
export function PlaceReaders({ collection }: { readonly collection: BootCollection }): ReactElement | null {
  const { messages, locale } = useWords();
  const [isResting, setResting] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setResting(true), restMs);
    return () => clearTimeout(timer);
  }, []);
  const { data } = useQuery({ ...grantsQuery(collection.id), staleTime: 30_000, enabled: isResting });
  if (data === undefined) return null;
  const named = data.data.slice(0, mostNames).map(({ grantee }) => grantee.name);
  const further = data.total - named.length;
  const some = further === 0 ? named : [...named, messages.furtherReaders(further)];
  const readers = data.defaultAccess === "none" ? some : [messages.accessEverybody];
  const names = listOfNames(
    readers.map((name) => ({ name })),
    locale,
  );
  return (
    <p role="status" className={dialog.hint}>
      {readers.length === 0
        ? messages.placeReadersNone(collection.name)
        : messages.placeReaders(collection.name, names)}
    </p>
  );
}
