import { getRouteApi } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { useWords } from "../app/words.tsx";
import { DocumentList } from "../parts/document-list.tsx";
import { Screen } from "../parts/screen.tsx";
import { tagFilter } from "./list-filters.ts";

const route = getRouteApi("/tags/$tag");

/** The documents with a tag. */
export function Tag(): ReactElement {
  const { messages } = useWords();
  const { tag } = route.useParams();
  return (
    <Screen title={tag}>
      <DocumentList filter={tagFilter(tag)} empty={messages.tagEmpty} />
    </Screen>
  );
}
