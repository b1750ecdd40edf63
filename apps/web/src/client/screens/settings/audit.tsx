import { getRouteApi } from "@tanstack/react-router";
import { type FormEvent, type ReactElement, useState } from "react";
import { settingsWords } from "../../app/settings-words.ts";
import { SelectField, TextField } from "../../parts/form/fields.tsx";
import { outcomes } from "./audit-filter.ts";
import { AuditList } from "./audit-list.tsx";
import type { SettingsParameters } from "./settings-parameters.ts";
import { SettingsScreen } from "./settings-screen.tsx";

const route = getRouteApi("/settings/$");

/** The audit log: its filters stand in the address, so that a search can be sent to somebody. */
export function Audit(): ReactElement {
  const { audit: words } = settingsWords;
  const search = route.useSearch();
  const query = new URLSearchParams(Object.entries(search).map(([name, value]) => [name, String(value)]));
  return (
    <SettingsScreen title={words.title}>
      <p className="quiet">{words.help}</p>
      <AuditFilters key={query.toString()} search={search} />
      <p>
        <a className="button" href={`/settings/audit.csv${query.size === 0 ? "" : `?${query}`}`} download>
          {words.download}
        </a>
      </p>
      <AuditList search={search} />
    </SettingsScreen>
  );
}

function AuditFilters({ search }: { readonly search: SettingsParameters }): ReactElement {
  const { audit: words } = settingsWords;
  const navigate = route.useNavigate();
  const [values, setValues] = useState(search);
  const set = (name: keyof SettingsParameters) => (value: string) => setValues({ ...values, [name]: value });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const given = Object.entries(values).filter(([, value]) => value !== "" && value !== "all");
    void navigate({ to: ".", search: Object.fromEntries(given) });
  };
  return (
    <search>
      <form className="settings-filters" onSubmit={submit}>
        <TextField
          name="action"
          label={words.action}
          placeholder={words.actionHelp}
          maxLength={100}
          value={values.action ?? ""}
          onChange={set("action")}
        />
        <SelectField
          name="outcome"
          label={words.outcome}
          value={outcomes.find((each) => each === values.outcome) ?? "all"}
          options={(["all", ...outcomes] as const).map((each) => [each, words.outcomes[each]] as const)}
          onChange={set("outcome")}
        />
        <TextField name="since" label={words.since} type="date" value={values.since ?? ""} onChange={set("since")} />
        <TextField name="until" label={words.until} type="date" value={values.until ?? ""} onChange={set("until")} />
        <div className="buttons">
          <button type="submit" className="button">
            {words.apply}
          </button>
          {Object.keys(search).length > 0 && (
            <button type="button" className="button" onClick={() => void navigate({ to: ".", search: {} })}>
              {words.clear}
            </button>
          )}
        </div>
      </form>
    </search>
  );
}
