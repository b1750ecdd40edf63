import { type LogPosition, type StreamReceiver, type Transport, TransportFailure } from "../session/transport.ts";
import type { FakeService } from "./fake-service.ts";
import type { FakeTime } from "./fake-time.ts";
import type { Random } from "./random.ts";

/** Requests, answers and streams that are late, lost, repeated and out of order. */
export class FakeNetwork implements Transport {
  /** Without faults everything arrives once, soon and in order. */
  isFaulty = true;
  isOffline = false;
  #isDead = false;
  readonly #service: FakeService;
  readonly #time: FakeTime;
  readonly #random: Random;

  constructor(service: FakeService, time: FakeTime, random: Random) {
    this.#service = service;
    this.#time = time;
    this.#random = random;
  }

  /** Brings nothing any more to the session, whose tab has crashed; what it has sent may still arrive. */
  die(): void {
    this.#isDead = true;
    this.isOffline = true;
  }

  open: Transport["open"] = () => this.#ask(() => this.#service.open());
  push: Transport["push"] = (batch) => {
    // The same bytes.
    const bytes = JSON.stringify(batch);
    return this.#ask(() => this.#service.push(JSON.parse(bytes)));
  };
  batches: Transport["batches"] = (position) => this.#ask(() => this.#service.batches(position));

  stream: Transport["stream"] = (position, receiver) => {
    let isOver = false;
    let sent: LogPosition = position();
    const connect = (): void => {
      if (isOver || this.#isDead) return;
      if (this.isOffline) {
        this.#time.after(500, connect);
        return;
      }
      sent = position();
      receiver.connected(true);
      receiver.access(this.#service.canWrite);
      send();
    };
    const send = (): void => {
      if (isOver || this.isOffline) return;
      if (this.isFaulty && this.#random.chance(0.05)) {
        receiver.connected(false);
        this.#time.after(500, connect);
        return;
      }
      sent = this.#sendNew(sent, receiver, () => isOver || this.isOffline);
    };
    this.#service.listeners.add(send);
    this.#time.after(this.#delay(), connect);
    return () => {
      isOver = true;
      this.#service.listeners.delete(send);
    };
  };

  /** Sends what is new in the log; each event takes its own time. Returns the position reached. */
  #sendNew(since: LogPosition, receiver: StreamReceiver, isOver: () => boolean): LogPosition {
    const deliver = (run: () => void): void => {
      this.#time.after(this.#delay(), () => isOver() || run());
    };
    let position = since;
    try {
      for (;;) {
        const { batches } = this.#service.batches(position);
        if (batches.length === 0) return position;
        for (const batch of batches) {
          position = { ...position, since: batch.version };
          if (this.isFaulty && this.#random.chance(0.1)) continue;
          deliver(() => receiver.batch(batch));
          if (this.isFaulty && this.#random.chance(0.1)) deliver(() => receiver.batch(batch));
        }
      }
    } catch (error) {
      if (!(error instanceof TransportFailure)) throw error;
      const { kind } = error;
      deliver(() => receiver.ended(kind === "gone" ? "gone" : "reopen"));
      return position;
    }
  }

  #ask<Answer>(handle: () => Answer): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const lose = (): void =>
        void this.#time.after(1_000, () => this.#isDead || reject(new TransportFailure("unreachable", "No answer")));
      const arrive = (): void => {
        const answered = attempt(handle);
        if (this.#isLost()) lose();
        else this.#time.after(this.#delay(), () => this.#isDead || answered(resolve, reject));
      };
      if (this.#isLost()) lose();
      else this.#time.after(this.#delay(), arrive);
      // A request that arrives twice: nobody reads the second answer.
      if (this.isFaulty && this.#random.chance(0.1)) this.#time.after(2 * this.#delay(), () => void attempt(handle));
    });
  }

  #isLost(): boolean {
    return this.isOffline || (this.isFaulty && this.#random.chance(0.1));
  }

  #delay(): number {
    return this.isFaulty ? this.#random.below(400) : 10;
  }
}

type Settle<Answer> = (resolve: (answer: Answer) => void, reject: (error: unknown) => void) => void;

function attempt<Answer>(handle: () => Answer): Settle<Answer> {
  try {
    const answer = handle();
    return (resolve) => resolve(answer);
  } catch (error) {
    return (_resolve, reject) => reject(error);
  }
}
