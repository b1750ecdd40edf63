import { useQuery } from "@tanstack/react-query";
import { type ReactElement, useState } from "react";
import { failureText } from "../../actions/failure-text.ts";
import { useChange } from "../../api/change.ts";
import { operationQuery } from "../../api/operation-query.ts";
import { notify } from "../../app/notices.ts";
import { settingsWords } from "../../app/settings-words.ts";
import { useWords } from "../../app/words.tsx";
import { ConfirmAction } from "../../parts/form/confirm-action.tsx";
import { CopyField } from "../../parts/form/copy-field.tsx";
import { SelectField } from "../../parts/form/fields.tsx";
import { Loading } from "../../parts/loading.tsx";
import { AppApproval } from "./app-approval.tsx";
import { type Client, clients, installLink, mcpAddress, settingsFor } from "./assistant-clients.ts";
import { ConnectedApps } from "./connected-apps.tsx";
import { SettingsScreen } from "./settings-screen.tsx";
import { useHas } from "./use-page-list.ts";

/** Connections of assistants: whether the team allows them, how to connect one, and the apps that are connected. */
export function Assistants(): ReactElement {
  const { assistants: words } = settingsWords;
  const team = useQuery(operationQuery("team.info", {}));
  return (
    <SettingsScreen title={words.title}>
      <p className="quiet">{words.help}</p>
      {team.data === undefined ? (
        <Loading query={team} />
      ) : (
        <>
          <Switch isOn={team.data.mcpEnabled} />
          {team.data.mcpEnabled && <Connect />}
        </>
      )}
      {team.data?.mcpEnabled === true && <AppApproval isRequired={team.data.appApprovalRequired} />}
      <ConnectedApps />
    </SettingsScreen>
  );
}

function Switch({ isOn }: { readonly isOn: boolean }): ReactElement {
  const { messages } = useWords();
  const { assistants: words } = settingsWords;
  const maySwitch = useHas("developer.mcp");
  const update = useChange("team.update");
  const [isAsking, setAsking] = useState(false);
  const turnOn = (): void =>
    update.mutate(
      { mcpEnabled: true },
      {
        onSuccess: () => notify({ text: words.turnedOn }),
        onError: (error) => notify({ text: failureText(error, messages), isFailure: true }),
      },
    );
  return (
    <section>
      <h2>{words.switchTitle}</h2>
      <p>{isOn ? words.isOn : words.isOff}</p>
      {!maySwitch && !isOn && <p className="quiet">{words.askAdmin}</p>}
      {maySwitch && (
        <button
          type="button"
          className={isOn ? "button" : "button primary"}
          onClick={isOn ? () => setAsking(true) : turnOn}
        >
          {isOn ? words.turnOff : words.turnOn}
        </button>
      )}
      {isAsking && (
        <ConfirmAction
          title={words.turnOffTitle}
          text={words.turnOffText}
          action={words.turnOff}
          run={async () => {
            await update.mutateAsync({ mcpEnabled: false });
            notify({ text: words.turnedOff });
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </section>
  );
}

function Connect(): ReactElement {
  const { assistants: words } = settingsWords;
  const [client, setClient] = useState<Client>("claude");
  const { name, steps } = words.clients[client];
  const address = mcpAddress();
  const settings = settingsFor(client, address);
  const link = installLink(client, address);
  return (
    <section>
      <h2>{words.connect}</h2>
      <p className="quiet">{words.connectHelp}</p>
      <div className="settings-fields">
        <CopyField key="address" label={words.address} text={address} />
        <SelectField
          name="client"
          label={words.client}
          value={client}
          options={clients.map((each) => [each, words.clients[each].name] as const)}
          onChange={setClient}
        />
        {link !== undefined && (
          <a className="button primary" href={link}>
            {words.install(name)}
          </a>
        )}
        <p>{steps}</p>
        {settings !== undefined && <CopyField key={client} label={words.settingsOf(name)} text={settings} />}
      </div>
    </section>
  );
}
