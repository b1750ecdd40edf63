import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type FormEvent, type ReactElement, useState } from "react";
import { settingsWords } from "../../app/settings-words.ts";
import { SelectField, TextField } from "../../parts/form/fields.tsx";
import { allGroupsQuery } from "./all-groups.ts";
import { type SettingsParameters, settingsParameters } from "./settings-parameters.ts";

const states = ["active", "suspended", "invited"] as const;

const route = getRouteApi("/settings/$");

/** The filters of the list of people; open invitations have none. They stand in the address. */
export function PeopleFilters(): ReactElement {
  const { people: words } = settingsWords;
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const groups = useQuery(allGroupsQuery).data ?? [];
  const isInvited = search.show === "invited";
  const [typed, setTyped] = useState(search.query ?? "");
  // Another filter begins at the first page of the list.
  const filter = ({ query = search.query, group = search.group, show = search.show }: SettingsParameters): void =>
    void navigate({ to: ".", search: settingsParameters({ query, group, show }), replace: true });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    filter({ query: typed.trim() });
  };
  return (
    <search>
      <form className="settings-filters" onSubmit={submit}>
        {!isInvited && (
          <>
            <TextField
              name="query"
              label={words.search}
              type="search"
              maxLength={200}
              value={typed}
              onChange={setTyped}
            />
            <SelectField
              name="group"
              label={words.group}
              value={search.group ?? ""}
              options={[["", words.anyGroup] as const, ...groups.map(({ id, name }) => [id, name] as const)]}
              onChange={(group) => filter({ group })}
            />
          </>
        )}
        <SelectField
          name="show"
          label={words.state}
          value={states.find((state) => state === search.show) ?? "active"}
          options={states.map((state) => [state, words.states[state]] as const)}
          onChange={(show) => filter({ show: show === "active" ? "" : show })}
        />
        {!isInvited && (
          <button type="submit" className="button">
            {words.searchButton}
          </button>
        )}
      </form>
    </search>
  );
}
