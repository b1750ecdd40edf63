import { useQuery } from "@tanstack/react-query";
import { type ReactElement, useState } from "react";
import { useChange } from "../../api/change.ts";
import { operationQuery } from "../../api/operation-query.ts";
import { notify } from "../../app/notices.ts";
import { settingsWords } from "../../app/settings-words.ts";
import { ConfirmAction } from "../../parts/form/confirm-action.tsx";
import { Loading } from "../../parts/loading.tsx";

/** The switch that requires a second step of everybody's log-in. Somebody without one would lock themselves out. */
export function TeamSecondFactor({ isRequired }: { readonly isRequired: boolean }): ReactElement {
  const { secondFactor: words, frame } = settingsWords;
  const update = useChange("team.update");
  const own = useQuery(operationQuery("auth.secondFactor.info", {}));
  const [isAsking, setAsking] = useState(false);
  const mayRequire = isRequired || (own.data !== undefined && (own.data.app !== null || own.data.passkeys > 0));
  return (
    <section>
      <h2>{words.requiredTitle}</h2>
      <p>{isRequired ? words.requiredOn : words.requiredOff}</p>
      {own.data === undefined && <Loading query={own} />}
      {own.data !== undefined && !mayRequire && <p className="quiet">{words.ownFirst}</p>}
      {own.data !== undefined && mayRequire && (
        <button type="button" className="button" onClick={() => setAsking(true)}>
          {isRequired ? words.stopRequiring : words.require}
        </button>
      )}
      {isAsking && (
        <ConfirmAction
          title={isRequired ? words.stopRequiring : words.require}
          text={isRequired ? words.stopRequiringText : words.requireText}
          action={isRequired ? words.stopRequiring : words.require}
          run={async () => {
            await update.mutateAsync({ secondFactorRequired: !isRequired });
            notify({ text: frame.saved });
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </section>
  );
}
