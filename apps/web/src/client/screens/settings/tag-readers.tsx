import { useQuery } from "@tanstack/react-query";
import { type ReactElement, useDeferredValue, useState } from "react";
import { operationQuery } from "../../api/operation-query.ts";
import { settingsWords } from "../../app/settings-words.ts";
import { CheckList } from "../../parts/form/check-list.tsx";
import { FieldGroup, TextField } from "../../parts/form/fields.tsx";
import { Icon } from "../../parts/icon.tsx";
import { allGroupsQuery } from "./all-groups.ts";
import { useHas } from "./use-page-list.ts";

/** Somebody or something by its name. */
export type Named = { readonly id: string; readonly name: string };

type List = { readonly groups: readonly Named[]; readonly users: readonly Named[] };
type TagReadersProps = { readonly list: List; readonly onChange: (list: List) => void };

/** The groups and people who see a restricted tag. Somebody who may not list the groups keeps those that see it. */
export function TagReaders({ list, onChange }: TagReadersProps): ReactElement {
  const { tags: words } = settingsWords;
  const managesPeople = useHas("settings.members");
  const managesGroups = useHas("settings.groups");
  const groups = useQuery({ ...allGroupsQuery, enabled: managesPeople || managesGroups });
  const known = groups.data ?? list.groups;
  return (
    <>
      <CheckList
        name="groupIds"
        label={words.groups}
        options={known.map(({ id, name }) => ({ id, label: name }))}
        chosen={list.groups.map(({ id }) => id)}
        onChange={(ids) => onChange({ ...list, groups: known.filter(({ id }) => ids.includes(id)) })}
      />
      <People chosen={list.users} onChange={(users) => onChange({ ...list, users })} />
    </>
  );
}

type PeopleProps = { readonly chosen: readonly Named[]; readonly onChange: (people: readonly Named[]) => void };

function People({ chosen, onChange }: PeopleProps): ReactElement {
  const { tags: words } = settingsWords;
  const [typed, setTyped] = useState("");
  const query = useDeferredValue(typed.trim());
  const found = useQuery({ ...operationQuery("users.directory", { query }), enabled: query !== "" });
  const offered =
    query === "" ? undefined : found.data?.data.filter(({ id }) => chosen.every((each) => each.id !== id));
  return (
    <FieldGroup name="userIds" label={words.people}>
      <ul className="tags">
        {chosen.map(({ id, name }) => (
          <li key={id} className="tag">
            <span dir="auto">{name}</span>{" "}
            <button
              type="button"
              className="icon-button"
              aria-label={words.removePerson(name)}
              onClick={() => onChange(chosen.filter((each) => each.id !== id))}
            >
              <Icon name="close" />
            </button>
          </li>
        ))}
      </ul>
      <TextField
        name="person"
        label={words.findPerson}
        help={words.peopleHelp}
        type="search"
        maxLength={200}
        autoComplete="off"
        value={typed}
        onChange={setTyped}
      />
      {offered !== undefined && (
        <ul className="tags">
          {offered.length === 0 && <li>{words.nobodyFound}</li>}
          {offered.map(({ id, name }) => (
            <li key={id}>
              <button
                type="button"
                className="button"
                onClick={() => {
                  onChange([...chosen, { id, name }]);
                  setTyped("");
                }}
              >
                <Icon name="plus" />
                <span dir="auto">{name}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </FieldGroup>
  );
}
