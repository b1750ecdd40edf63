import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useLocation } from "@tanstack/react-router";
import { type FormEvent, type ReactElement, type RefObject, useEffect, useId, useRef, useState } from "react";
import type { NewPlace } from "../actions/create.ts";
import { placeQuery } from "../actions/place-query.ts";
import { useActions } from "../actions/use-actions.ts";
import { bootQuery } from "../api/queries.ts";
import { boot } from "../app/boot.ts";
import { hasNavigated } from "../app/navigated.ts";
import { useWords } from "../app/words.tsx";
import { Administrators } from "../parts/administrators.tsx";
import { lazyLayer } from "../parts/lazy-layer.tsx";
import { Loading } from "../parts/loading.tsx";
import { Screen } from "../parts/screen.tsx";
import { usePreload } from "../parts/use-preload.ts";
import { type FoundPlace, findPlace, parentOf, writableCollections } from "./new-place.ts";

const route = getRouteApi("/new");
const PlaceDialog = lazyLayer(async () => (await import("../actions/place-dialog.tsx")).PlaceDialog);

/** Creates a document at the place in the address. Opening the address creates nothing. */
export function New(): ReactElement {
  const { messages } = useWords();
  const { data } = useQuery(bootQuery);
  const field = useRef<HTMLInputElement>(null);
  // After the heading was given the focus: somebody who comes here is about to type a title.
  useEffect(() => {
    if (hasNavigated()) field.current?.focus();
  }, []);
  const isOpen = writableCollections(data.collections).length > 0;
  // The form stays, with the title typed in it, where the last right ends.
  const wasOpen = useRef(isOpen);
  wasOpen.current ||= isOpen;
  return (
    <Screen title={messages.newDocument}>
      {wasOpen.current && <NewForm field={field} isOpen={isOpen} />}
      <div role="status">{!isOpen && <p>{messages.noPlace}</p>}</div>
      {!isOpen && <Administrators />}
    </Screen>
  );
}

/** The place that is being asked for: only that, or in order to create the document there at once. */
type Asking = "place" | "create";

/** What was typed, by the entry of the history in which it was: somebody who comes back there finds it. */
const typedTitles = new Map<string, string>();

type FormProps = {
  readonly field: RefObject<HTMLInputElement | null>;
  /** Whether there is a place in which the reader may write. */
  readonly isOpen: boolean;
};

function NewForm({ field, isOpen }: FormProps): ReactElement {
  const { messages } = useWords();
  const navigate = route.useNavigate();
  const actions = useActions();
  const { found, pending } = useFoundPlace();
  const entry = useLocation({ select: ({ state }) => state.__TSR_key ?? "" });
  const keep = (): void => void typedTitles.set(entry, field.current?.value ?? "");
  // Another place in the address is another entry.
  useEffect(keep, [entry]);
  const [asking, setAsking] = useState<Asking>();
  const [isCreating, setCreating] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  usePreload(PlaceDialog.preload);
  const create = async (place: NewPlace): Promise<void> => {
    if (isCreating) return;
    setCreating(true);
    keep();
    // In the field, the next keys would be for it, and not for the text of the document.
    button.current?.focus();
    await actions.create(place, field.current?.value.trim() || undefined);
    setCreating(false);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isOpen) return;
    if (found?.kind === "open") void create(found.place);
    else if (found !== undefined || pending.error !== null) setAsking("create");
  };
  const pick = (place: NewPlace): void => {
    // With another address, the reader would have gone elsewhere, and the document would not be opened.
    if (asking === "create") return void create(place);
    const { collectionId: collection, parentId: parent } = place;
    void navigate({ search: { collection, ...(parent !== null && { parent }) }, replace: true });
  };
  return (
    <form className="new-form" onSubmit={submit}>
      <label>
        {messages.newTitle}
        <input
          ref={field}
          name="title"
          dir="auto"
          autoComplete="off"
          maxLength={boot().app.limits.maxTitleLength * 2}
          readOnly={isCreating}
          defaultValue={typedTitles.get(entry)}
          onChange={keep}
        />
      </label>
      <Place found={found} pending={pending} onChoose={isOpen ? () => isCreating || setAsking("place") : undefined} />
      <p>
        <button ref={button} type="submit" className="button primary" aria-busy={isCreating} aria-disabled={!isOpen}>
          {messages.newCreate}
        </button>
      </p>
      {asking !== undefined && <PlaceDialog onPick={pick} onClose={() => setAsking(undefined)} />}
    </form>
  );
}

type Finding = {
  /** Undefined while the document above is asked for. */
  readonly found: FoundPlace | undefined;
  readonly pending: { readonly error: Error | null; readonly refetch: () => unknown };
};

function useFoundPlace(): Finding {
  const { messages } = useWords();
  const parameters = route.useSearch();
  const { data } = useQuery(bootQuery);
  const id = parentOf(parameters);
  const pending = useQuery({ ...placeQuery(id ?? ""), enabled: id !== undefined });
  const parent = id === undefined ? null : pending.data;
  const known = { collections: data.collections, untitled: messages.untitled };
  return { found: parent === undefined ? undefined : findPlace(parameters, { ...known, parent }), pending };
}

type PlaceProps = Finding & {
  /** Undefined where there is no place to choose. */
  readonly onChoose: (() => void) | undefined;
};

/** The button stays while the place is asked for: it has the focus after a choice. */
function Place({ found, pending, onChoose }: PlaceProps): ReactElement {
  const { messages } = useWords();
  const id = useId();
  return (
    <div>
      <p className="new-label">{messages.newPlace}</p>
      {found === undefined ? <Loading query={pending} /> : <PlaceText id={id} found={found} />}
      {onChoose !== undefined && (
        <button type="button" className="button" aria-describedby={id} onClick={onChoose}>
          {found === undefined || found.kind === "open" ? messages.newChooseOther : messages.newChoose}
        </button>
      )}
    </div>
  );
}

function PlaceText({ id, found }: { readonly id: string; readonly found: FoundPlace }): ReactElement {
  const { messages } = useWords();
  if (found.kind === "open") {
    return (
      <p id={id}>
        <span className="row-title" dir="auto">
          {found.emoji !== null && <span aria-hidden="true">{found.emoji} </span>}
          {found.name}
        </span>
        {found.above.length > 0 && (
          <span className="row-detail">
            <bdi>{found.above.join(" / ")}</bdi>
          </span>
        )}
      </p>
    );
  }
  if (found.kind === "unchosen") {
    return (
      <p id={id} className="quiet">
        {messages.newUnchosen}
      </p>
    );
  }
  return (
    <div id={id} className="notice">
      <span>{found.kind === "absent" ? messages.newAbsent : messages.newClosed[found.why](found.name)}</span>
    </div>
  );
}
