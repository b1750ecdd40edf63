import { useInfiniteQuery } from "@tanstack/react-query";
import { type ReactElement, useState } from "react";
import { call } from "../../api/call.ts";
import { useChange } from "../../api/change.ts";
import type { OutputOf } from "../../api/contract.ts";
import { settingsWords } from "../../app/settings-words.ts";
import { SelectField } from "../../parts/form/fields.tsx";
import { Loading } from "../../parts/loading.tsx";
import { When } from "../../parts/when.tsx";
import { useAct } from "./use-act.ts";

type Delivery = OutputOf<"webhooks.deliveries">["data"][number];
type Filter = Delivery["status"] | "all";

const filters: readonly Filter[] = ["all", "failed", "pending", "delivered"];
/** A delivery that waits is looked at again after this time. */
const againMs = 3_000;

type WebhookDeliveriesProps = { readonly id: string; readonly isEnabled: boolean };

/** What a webhook sent and what came back, newest first. What waits is watched until it is settled. */
export function WebhookDeliveries({ id, isEnabled }: WebhookDeliveriesProps): ReactElement {
  const { webhooks: words } = settingsWords;
  const act = useAct();
  const test = useChange("webhooks.test");
  const [filter, setFilter] = useState<Filter>("all");
  const status = filter === "all" ? undefined : filter;
  const deliveries = useInfiniteQuery({
    queryKey: ["webhooks.deliveries", id, filter],
    queryFn: ({ pageParam, signal }) => call("webhooks.deliveries", { id, status, before: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ data, hasMore }) => (hasMore ? data.at(-1)?.id : undefined),
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ data }) => data.some((each) => each.status === "pending")) === true ? againMs : false,
  });
  const rows = deliveries.data?.pages.flatMap(({ data }) => data);
  return (
    <section>
      <h2>{words.deliveries}</h2>
      <p className="quiet">{words.deliveriesHelp}</p>
      {isEnabled && (
        <button type="button" className="button" onClick={() => act(() => test.mutateAsync({ id }), words.testSent)}>
          {words.test}
        </button>
      )}
      <SelectField
        name="status"
        label={words.show}
        value={filter}
        options={filters.map((each) => [each, words.filters[each]] as const)}
        onChange={setFilter}
      />
      {rows === undefined ? (
        <Loading query={deliveries} />
      ) : rows.length === 0 ? (
        <p>{words.deliveriesEmpty}</p>
      ) : (
        <ul className="rows">
          {rows.map((delivery) => (
            <DeliveryRow key={delivery.id} delivery={delivery} isEnabled={isEnabled} />
          ))}
        </ul>
      )}
      {deliveries.hasNextPage && (
        <button type="button" className="button" onClick={() => void deliveries.fetchNextPage()}>
          {words.older}
        </button>
      )}
    </section>
  );
}

type DeliveryRowProps = { readonly delivery: Delivery; readonly isEnabled: boolean };

function DeliveryRow({ delivery, isEnabled }: DeliveryRowProps): ReactElement {
  const { webhooks: words } = settingsWords;
  const act = useAct();
  const redeliver = useChange("webhooks.redeliver");
  const { id, type, status, attempts, responseStatus, responseBody, latencyMs, createdAt, nextAttemptAt } = delivery;
  const send = (): void => act(() => redeliver.mutateAsync({ id }), words.redelivered);
  return (
    <li>
      <div className="row-text">
        <span className="row-title">
          <code dir="ltr">{type}</code>{" "}
          <span className={status === "failed" ? "tag alarm" : "tag"}>{words.statuses[status]}</span>
        </span>
        <span className="row-detail facts">
          <When time={createdAt} form="minute" />
          <span>{words.attempts(attempts)}</span>
          {attempts > 0 && <span>{responseStatus === null ? words.noResponse : words.response(responseStatus)}</span>}
          {latencyMs !== null && <span>{words.took(latencyMs)}</span>}
          {nextAttemptAt !== null && attempts > 0 && (
            <span>
              {words.nextAttempt} <When time={nextAttemptAt} form="minute" />
            </span>
          )}
        </span>
        {responseBody !== null && responseBody !== "" && (
          <details>
            <summary>{words.responseText}</summary>
            <pre className="diff" dir="auto">
              {responseBody}
            </pre>
          </details>
        )}
      </div>
      {isEnabled && status !== "pending" && (
        <div className="row-actions">
          <button type="button" className="button" aria-label={words.redeliverOf(type)} onClick={send}>
            {words.redeliver}
          </button>
        </div>
      )}
    </li>
  );
}
