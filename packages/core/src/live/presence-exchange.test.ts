import { newId } from "@kb/db";
import { afterEach, expect, it, vi } from "vitest";
import { PresenceExchange } from "./presence-exchange.ts";

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

it("other processes hear of a caret at once again after the clock of this one was set back", () => {
  vi.useFakeTimers();
  ends.push(() => vi.useRealTimers());
  const announced: string[] = [];
  const exchange = new PresenceExchange(
    { announce: ({ payload }) => announced.push(payload), listen: () => () => {} },
    () => {},
  );
  ends.push(() => exchange.close());
  const tab = { teamId: newId(), documentId: newId(), tabId: newId(), userId: newId(), hasLeft: false };
  exchange.tell({ ...tab, caret: null });
  vi.advanceTimersByTime(1_000);
  expect(announced).toHaveLength(1);
  vi.setSystemTime(Date.now() - 3_600_000);
  exchange.tell({ ...tab, caret: { version: 1, anchor: 1, head: 1 } });
  vi.advanceTimersByTime(1_000);
  expect(announced).toHaveLength(2);
});

it("a tab that tells this process moves, though the clock of the process that it told before is ahead", () => {
  let receive = (_payload: string | null): void => {};
  const exchange = new PresenceExchange(
    {
      announce: () => {},
      listen: (_channel, onNotification) => {
        receive = onNotification;
        return () => {};
      },
    },
    () => {},
  );
  ends.push(() => exchange.close());
  const tab = { teamId: newId(), documentId: newId(), tabId: newId(), userId: newId(), hasLeft: false };
  const caretAt = (anchor: number) => ({ version: 1, anchor, head: anchor });
  exchange.ask(new Set([tab.documentId]));
  receive(JSON.stringify({ ...tab, caret: caretAt(1), at: Date.now() + 60_000, expiresInMs: 30_000 }));
  expect(exchange.in(tab.documentId)).toMatchObject([{ caret: caretAt(1) }]);
  expect(exchange.tell({ ...tab, caret: caretAt(2) })).toBe("known");
  expect(exchange.in(tab.documentId)).toMatchObject([{ caret: caretAt(2) }]);
  expect(exchange.tell({ ...tab, caret: null, hasLeft: true })).toBe("known");
  expect(exchange.in(tab.documentId)).toEqual([]);
});
