import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { listOfNames } from "../../messages/list-of-names.ts";
import { operationQuery } from "../api/operation-query.ts";
import { shownAdministrators } from "../api/query-keys.ts";
import { useWords } from "../app/words.tsx";

/** Names those who can give a reader more rights. */
export function Administrators(): ReactElement | null {
  const { messages, locale } = useWords();
  const { data } = useQuery(operationQuery("users.directory", shownAdministrators));
  if (data === undefined || data.data.length === 0) return null;
  return <p>{messages.administrators(listOfNames(data.data, locale))}</p>;
}
