import { useQuery } from "@tanstack/react-query";
import { type ReactElement, useState } from "react";
import { useChange } from "../../api/change.ts";
import type { OutputOf } from "../../api/contract.ts";
import { operationQuery } from "../../api/operation-query.ts";
import { notify } from "../../app/notices.ts";
import { settingsWords } from "../../app/settings-words.ts";
import { Facts } from "../../parts/form/facts.tsx";
import { TextField } from "../../parts/form/fields.tsx";
import { Form } from "../../parts/form/form.tsx";
import { useSubmit } from "../../parts/form/use-submit.ts";
import { Loading } from "../../parts/loading.tsx";
import { When } from "../../parts/when.tsx";
import { SettingsScreen } from "./settings-screen.tsx";
import { TeamLogo } from "./team-logo.tsx";
import { TeamSecondFactor } from "./team-second-factor.tsx";

/** The team's name and logo, and whether everybody needs a second factor. */
export function Team(): ReactElement {
  const { team: words } = settingsWords;
  const team = useQuery(operationQuery("team.info", {}));
  return (
    <SettingsScreen title={words.title}>
      {team.data === undefined ? <Loading query={team} /> : <TeamForm team={team.data} />}
    </SettingsScreen>
  );
}

function TeamForm({ team }: { readonly team: OutputOf<"team.info"> }): ReactElement {
  const { team: words, frame } = settingsWords;
  const [name, setName] = useState(team.name);
  const update = useChange("team.update");
  const submission = useSubmit(["name"], async () => {
    await update.mutateAsync({ name });
    notify({ text: frame.saved });
  });
  return (
    <>
      <Form submission={submission} submitLabel={words.save}>
        <TextField
          name="name"
          label={words.name}
          help={words.nameHelp}
          required
          maxLength={255}
          value={name}
          onChange={setName}
        />
      </Form>
      <TeamLogo />
      <TeamSecondFactor isRequired={team.secondFactorRequired} />
      <Facts facts={[[words.since, <When key="since" time={team.createdAt} />]]} />
    </>
  );
}
