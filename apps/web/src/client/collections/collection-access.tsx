import { useQuery } from "@tanstack/react-query";
import { type ReactElement, useRef, useState } from "react";
import { failureText } from "../actions/failure-text.ts";
import { call } from "../api/call.ts";
import { useChange } from "../api/change.ts";
import type { BootCollection, InputOf, OutputOf } from "../api/contract.ts";
import { type FurtherRows, useFurtherRows } from "../api/further-rows.ts";
import { candidatesQuery, grantsQuery, isAnswered } from "../api/queries.ts";
import { shownGrants } from "../api/query-keys.ts";
import { useWords } from "../app/words.tsx";
import { ClosingDialog } from "../parts/closing-dialog.tsx";
import dialog from "../parts/dialog.module.css";
import { Icon } from "../parts/icon.tsx";
import { Loading } from "../parts/loading.tsx";
import { MoreButton } from "../parts/more-button.tsx";
import { Picker } from "../parts/picker.tsx";
import { PickerItem } from "../parts/picker-item.tsx";

type CollectionAccessProps = { readonly collection: BootCollection; readonly onClose: () => void };
type Grants = OutputOf<"collections.grants.list">;
type Grantee = Grants["data"][number]["grantee"];
type Level = InputOf<"collections.grants.set">["level"];

/** Who can read, write and manage a collection: everybody in the team, and people and groups beside them. */
export function CollectionAccess({ collection: { id, name }, onClose }: CollectionAccessProps): ReactElement {
  const { messages } = useWords();
  const grants = useQuery(grantsQuery(id));
  const list = useFurtherRows(
    grantsQuery(id).queryKey,
    grants.data,
    ({ grantee }) => grantee.id,
    (offset, signal) => call("collections.grants.list", { id, limit: shownGrants, offset }, { signal }),
  );
  const setDefault = useChange("collections.setDefaultAccess");
  const setGrant = useChange("collections.grants.set");
  const remove = useChange("collections.grants.remove");
  const [failure, setFailure] = useState<unknown>();
  // A failure is shown until the next change starts.
  const change = async (changed: Promise<unknown>): Promise<void> => {
    setFailure(undefined);
    await changed.catch((error: unknown) => setFailure(error));
  };
  const give = (grantee: Pick<Grantee, "type" | "id">, level: Level): Promise<void> =>
    change(setGrant.mutateAsync({ id, level, ...named(grantee) }));
  return (
    <ClosingDialog title={messages.accessTitle(name)} onClose={onClose}>
      {grants.data === undefined ? (
        <Loading query={grants} />
      ) : (
        <GrantList
          defaultAccess={grants.data.defaultAccess}
          list={list}
          onDefault={(defaultAccess) => change(setDefault.mutateAsync({ id, defaultAccess }))}
          onGive={give}
          onRemove={(grantee) => void change(remove.mutateAsync({ id, ...named(grantee) }))}
        />
      )}
      {failure !== undefined && (
        <p role="alert" className={dialog.failure}>
          {failureText(failure, messages)}
        </p>
      )}
      <AddGrantee
        collectionId={id}
        // Candidates that were found before may have got access since: adding them would lower it.
        isListed={({ id: found }) => list.rows.some(({ grantee }) => grantee.id === found)}
        onPick={(grantee) => void give(grantee, "read")}
      />
      <p className="quiet">{messages.accessHint}</p>
    </ClosingDialog>
  );
}

const named = ({ type, id }: Pick<Grantee, "type" | "id">): { userId: string } | { groupId: string } =>
  type === "user" ? { userId: id } : { groupId: id };

type GrantListProps = {
  readonly defaultAccess: Grants["defaultAccess"];
  readonly list: FurtherRows<Grants["data"][number]>;
  readonly onDefault: (access: Grants["defaultAccess"]) => Promise<void>;
  readonly onGive: (grantee: Grantee, level: Level) => Promise<void>;
  readonly onRemove: (grantee: Grantee) => void;
};

function GrantList({ defaultAccess, list, onDefault, onGive, onRemove }: GrantListProps): ReactElement {
  const { messages } = useWords();
  const names = { none: messages.accessNone, read: messages.accessRead, write: messages.accessWrite };
  return (
    <>
      <ul className={dialog.grants}>
        <li>
          <span>{messages.accessEverybody}</span>
          <Choice
            label={messages.accessOf(messages.accessEverybody)}
            value={defaultAccess}
            choices={names}
            onChange={onDefault}
          />
        </li>
        {list.rows.map(({ grantee, level }) => (
          <li key={grantee.id}>
            <span>
              <bdi>{grantee.name}</bdi>
              <span className="row-detail">{grantee.type === "user" ? messages.person : messages.group}</span>
            </span>
            <Choice
              label={messages.accessOf(grantee.name)}
              value={level}
              choices={{ read: messages.accessRead, write: messages.accessWrite, manage: messages.accessManage }}
              onChange={(chosen) => onGive(grantee, chosen)}
            />
            <button
              type="button"
              className="icon-button"
              aria-label={messages.accessRemove(grantee.name)}
              onClick={() => onRemove(grantee)}
            >
              <Icon name="close" />
            </button>
          </li>
        ))}
      </ul>
      <MoreButton list={list} />
    </>
  );
}

type ChoiceProps<Value extends string> = {
  readonly label: string;
  readonly value: Value;
  readonly choices: Readonly<Record<Value, string>>;
  /** Saves a value; settles once it is saved or refused. */
  readonly onChange: (value: Value) => Promise<void>;
};

/**
 * A choice that is saved as soon as it is made. A browser chooses anew at each press of an arrow key: one value is saved at
 * a time, and of those chosen meanwhile only the last.
 */
function Choice<Value extends string>({ label, value, choices, onChange }: ChoiceProps<Value>): ReactElement {
  const isValue = (text: string): text is Value => text in choices;
  const [chosen, setChosen] = useState<Value>();
  const next = useRef<Value>(undefined);
  const isSaving = useRef(false);
  const choose = async (wanted: Value): Promise<void> => {
    setChosen(wanted);
    next.current = wanted;
    if (isSaving.current) return;
    isSaving.current = true;
    while (next.current !== undefined) {
      const saved = next.current;
      next.current = undefined;
      await onChange(saved);
    }
    isSaving.current = false;
    setChosen(undefined);
  };
  return (
    <select
      aria-label={label}
      value={chosen ?? value}
      onChange={({ target }) => {
        if (isValue(target.value)) void choose(target.value);
      }}
    >
      {Object.entries<string>(choices).map(([key, text]) => (
        <option key={key} value={key}>
          {text}
        </option>
      ))}
    </select>
  );
}

type AddGranteeProps = {
  readonly collectionId: string;
  /** Whether the list above shows somebody's access, which is changed there. */
  readonly isListed: (grantee: Grantee) => boolean;
  readonly onPick: (grantee: Pick<Grantee, "type" | "id">) => void;
};

function AddGrantee({ collectionId, isListed, onPick }: AddGranteeProps): ReactElement {
  const { messages } = useWords();
  const [typed, setTyped] = useState("");
  const found = useQuery(candidatesQuery(collectionId, typed.trim()));
  const candidates = typed.trim() === "" ? [] : (found.data ?? []).filter((candidate) => !isListed(candidate));
  const pick = (key: string): void => {
    const candidate = candidates.find(({ id }) => id === key);
    setTyped("");
    if (candidate !== undefined) onPick(candidate);
  };
  return (
    <div className={dialog.add}>
      <Picker
        label={messages.accessAdd}
        listLabel={messages.accessAdd}
        typed={typed}
        onType={setTyped}
        onPick={pick}
        isAnswered={isAnswered(found)}
        empty={typed.trim() === "" ? messages.accessAddHint : messages.accessAddEmpty}
      >
        {candidates.map(({ id, type, name }) => (
          <PickerItem
            key={id}
            id={id}
            name={name}
            symbol={<Icon name="user" />}
            detail={type === "user" ? messages.person : messages.group}
          />
        ))}
      </Picker>
    </div>
  );
}
