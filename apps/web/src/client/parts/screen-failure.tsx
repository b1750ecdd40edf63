import { type ErrorComponentProps, useRouter } from "@tanstack/react-router";
import { type ReactElement, useEffect } from "react";
import { failureText, referenceOf } from "../actions/failure-text.ts";
import { Failure } from "../api/failure.ts";
import { onRefresh } from "../api/refreshes.ts";
import { onReturn } from "../app/connection.ts";
import { isMissingModule } from "../app/new-release.ts";
import { isPassing } from "../app/query-client.ts";
import { useWords } from "../app/words.tsx";
import { NotFound } from "../screens/not-found.tsx";
import { Screen } from "./screen.tsx";

/** A screen whose data did not come: says what did not work, and tries again. The frame around it goes on working. */
export function ScreenFailure({ error, reset }: ErrorComponentProps): ReactElement {
  const { messages } = useWords();
  const router = useRouter();
  const tryAgain = (): void => {
    reset();
    void router.invalidate();
  };
  const isAbsent = error instanceof Failure && (error.status === 404 || error.status === 403);
  // A document that was restored or shared meanwhile appears by itself.
  useEffect(() => (isAbsent ? onRefresh(() => void router.invalidate()) : undefined), [isAbsent, router]);
  const isWaiting = isPassing(error);
  useEffect(() => (isWaiting ? onReturn(() => void router.invalidate()) : undefined), [isWaiting, router]);
  if (isAbsent) return <NotFound isForbidden={error.status === 403} />;
  if (isMissingModule(error)) {
    return (
      <Screen title={messages.failed}>
        <p>{messages.newRelease}</p>
        <button type="button" className="button primary" onClick={() => location.reload()}>
          {messages.reload}
        </button>
      </Screen>
    );
  }
  const reference = referenceOf(error);
  return (
    <Screen title={messages.failed}>
      <p>{error instanceof Failure && error.status !== 0 ? failureText(error, messages) : messages.failedReason}</p>
      {reference !== undefined && <p className="quiet">{messages.failedReference(reference)}</p>}
      <button type="button" className="button" onClick={tryAgain}>
        {messages.tryAgain}
      </button>
    </Screen>
  );
}
