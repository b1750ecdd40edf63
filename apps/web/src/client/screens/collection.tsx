import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type ReactElement, useEffect } from "react";
import { useChange } from "../api/change.ts";
import type { BootCollection } from "../api/contract.ts";
import { bootQuery, collectionQuery } from "../api/queries.ts";
import { useCreate } from "../app/use-create.ts";
import { useWords } from "../app/words.tsx";
import { DocumentList } from "../parts/document-list.tsx";
import { Loading } from "../parts/loading.tsx";
import { Notice, NoticeButton } from "../parts/notice.tsx";
import { Screen } from "../parts/screen.tsx";
import { LevelList } from "../tree/level-list.tsx";
import { levelQuery } from "../tree/level-queries.ts";
import { openRows } from "../tree/open-rows.ts";
import { CollectionActions } from "./collection-actions.tsx";
import { type CollectionSort, collectionSorts, sortedDocuments } from "./collection-parameters.ts";
import { NotFound } from "./not-found.tsx";

const route = getRouteApi("/collections/$collectionId");

/** A collection: its documents at the top level in their order, or all of them in another one. */
export function Collection(): ReactElement {
  const { messages } = useWords();
  const { collectionId } = route.useParams();
  const { sort } = route.useSearch();
  const { data } = useQuery(bootQuery);
  const details = useQuery(collectionQuery(collectionId));
  const collection = data.collections.find(({ id }) => id === collectionId);
  const isInTree = collection?.archivedAt === null;
  // The tree is open at the page that is shown, as it is at a document.
  useEffect(() => {
    if (isInTree) openRows.open([collectionId]);
  }, [collectionId, isInTree]);
  if (collection === undefined) return <NotFound />;
  const description = details.data?.description ?? "";
  return (
    <Screen
      title={collection.name}
      emoji={collection.icon}
      actions={<CollectionActions key={collectionId} collection={collection} />}
    >
      {collection.documentCount > 0 && (
        <p className="facts">
          <CollectionColor color={collection.color} />
          <span>{messages.documentCount(collection.documentCount)}</span>
        </p>
      )}
      {description !== "" && (
        <p className="description" dir="auto">
          {description}
        </p>
      )}
      {collection.archivedAt !== null && <Archived collection={collection} />}
      {collection.archivedAt === null && collection.documentCount > 1 && <Sort sort={sort} />}
      {sort === undefined || collection.archivedAt !== null ? (
        <TopLevel key={collectionId} collection={collection} />
      ) : (
        <DocumentList isOfCollection filter={sortedDocuments(collectionId, sort)} empty={messages.collectionEmpty} />
      )}
    </Screen>
  );
}

function CollectionColor({ color }: { readonly color: string | null }): ReactElement | null {
  if (color === null) return null;
  return (
    <svg className="collection-color" viewBox="0 0 12 12" aria-hidden="true">
      <circle cx="6" cy="6" r="6" fill={color} />
    </svg>
  );
}

function Archived({ collection: { id, abilities } }: { readonly collection: BootCollection }): ReactElement {
  const { messages } = useWords();
  const unarchive = useChange("collections.unarchive");
  return (
    <Notice text={messages.archivedCollection} failure={unarchive.error}>
      {abilities.edit && <NoticeButton label={messages.unarchive} onPress={() => unarchive.mutate({ id })} />}
    </Notice>
  );
}

/** The order, which stands in the address. */
function Sort({ sort }: { readonly sort: CollectionSort | undefined }): ReactElement {
  const { messages } = useWords();
  const navigate = route.useNavigate();
  const names = { title: messages.sortTitle, updated: messages.sortUpdated };
  return (
    <label className="sort">
      <span>{messages.sortBy}</span>
      <select
        name="sort"
        value={sort ?? ""}
        onChange={({ target }) => {
          const chosen = collectionSorts.find((one) => one === target.value);
          void navigate({ search: chosen === undefined ? {} : { sort: chosen }, replace: true });
        }}
      >
        <option value="">{messages.sortOrder}</option>
        {collectionSorts.map((name) => (
          <option key={name} value={name}>
            {names[name]}
          </option>
        ))}
      </select>
    </label>
  );
}

function TopLevel({ collection }: { readonly collection: BootCollection }): ReactElement {
  const place = { collectionId: collection.id, parentId: null };
  const tree = useQuery(levelQuery(place));
  if (tree.data === undefined) return <Loading query={tree} />;
  if (tree.data.data.length === 0) return <Empty collection={collection} />;
  return <LevelList place={place} level={tree.data} />;
}

function Empty({ collection: { abilities, archivedAt } }: { readonly collection: BootCollection }): ReactElement {
  const { messages } = useWords();
  const create = useCreate();
  if (!abilities.createDocument) {
    return <p className="quiet">{archivedAt === null ? messages.collectionEmptyReader : messages.collectionEmpty}</p>;
  }
  return (
    <>
      <p className="quiet">{messages.collectionEmpty}</p>
      <p>
        <button type="button" className="button primary" onClick={() => create?.()}>
          {messages.newDocument}
        </button>
      </p>
    </>
  );
}
