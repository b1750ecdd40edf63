import { useQuery } from "@tanstack/react-query";
import { type ReactElement, useState } from "react";
import { failureText } from "../../actions/failure-text.ts";
import { useChange } from "../../api/change.ts";
import type { OutputOf } from "../../api/contract.ts";
import { operationQuery } from "../../api/operation-query.ts";
import { notify } from "../../app/notices.ts";
import { settingsWords } from "../../app/settings-words.ts";
import { useWords } from "../../app/words.tsx";
import { Facts } from "../../parts/form/facts.tsx";
import { Loading } from "../../parts/loading.tsx";
import { When } from "../../parts/when.tsx";
import { SecondFactorDialog, type SecondFactorLayer } from "./second-factor-dialog.tsx";

/** From this number on, new recovery codes are recommended. */
const fewCodes = 3;

/** The second step of the reader's log-in: set up, changed and turned off. */
export function SecondFactor(): ReactElement {
  const { secondFactor: words } = settingsWords;
  const { messages } = useWords();
  const start = useChange("auth.secondFactor.start");
  const factor = useQuery(operationQuery("auth.secondFactor.info", {}));
  const [layer, setLayer] = useState<SecondFactorLayer>();
  const open = (next: SecondFactorLayer): void => {
    const proof = factor.data?.proof;
    if (next.name !== "prove" || proof === "code" || proof === "password") {
      setLayer(next);
      return;
    }
    // Nothing is typed here: a passkey is asked for where it is needed, and without a password there is nothing to type.
    start.mutate(
      { proof: "" },
      {
        onSuccess: (enrolment) => setLayer({ name: "scan", enrolment }),
        onError: (error) => notify({ text: failureText(error, messages), isFailure: true }),
      },
    );
  };
  return (
    <section>
      <h2>{words.title}</h2>
      <p className="quiet">{words.help}</p>
      {factor.data === undefined ? (
        <Loading query={factor} />
      ) : (
        <>
          <State factor={factor.data} onOpen={open} />
          {layer !== undefined && <SecondFactorDialog layer={layer} proof={factor.data.proof} onLayer={setLayer} />}
        </>
      )}
    </section>
  );
}

type StateProps = {
  readonly factor: OutputOf<"auth.secondFactor.info">;
  readonly onOpen: (layer: SecondFactorLayer) => void;
};

function State({ factor: { app, passkeys, recoveryCodesLeft, required }, onOpen }: StateProps): ReactElement {
  const { secondFactor: words } = settingsWords;
  const button = (label: string, layer: SecondFactorLayer): ReactElement => (
    <button type="button" className="button" onClick={() => onOpen(layer)}>
      {label}
    </button>
  );
  const codes = [words.codesLeft, words.codes(recoveryCodesLeft)] as const;
  const few = recoveryCodesLeft <= fewCodes && <p>{words.fewCodes}</p>;
  if (app === null && passkeys > 0) {
    return (
      <>
        <p>{words.byPasskey}</p>
        <Facts facts={[codes]} />
        {required && <p className="quiet">{words.isRequired}</p>}
        {few}
        <div className="buttons">
          {button(words.newCodes, { name: "renew" })}
          {button(words.setUp, { name: "prove" })}
        </div>
      </>
    );
  }
  if (app === null) {
    return (
      <>
        <p>{words.off}</p>
        <div className="buttons">{button(words.setUp, { name: "prove" })}</div>
      </>
    );
  }
  return (
    <>
      <Facts facts={[[words.on, <When key="since" time={app.since} />], codes]} />
      {required && <p className="quiet">{words.isRequired}</p>}
      {few}
      <div className="buttons">
        {button(words.newCodes, { name: "renew" })}
        {button(words.changeApp, { name: "prove" })}
        {(!required || passkeys > 0) && button(words.turnOff, { name: "remove" })}
      </div>
    </>
  );
}
