import { startSharedWork } from "@kb/telemetry";

/** An older change has been on the disk for long, however much the clocks of the instances differ. */
const recentMs = 600_000;
/** A team that is forgotten costs one more statement. */
const maxTeams = 1_000;

/**
 * Knows up to which time of their clocks the changes of teams are on the disk. The changes of a team commit in the order of
 * these times, so a change is on the disk if a later one is.
 */
export class ChangesOnDisk {
  readonly #reachDisk: () => Promise<unknown>;
  readonly #latest = new Map<string, number>();
  #running: Promise<unknown> | undefined;
  #next: Promise<unknown> | undefined;

  /** @param reachDisk resolves when everything that was committed before the call is on the disk */
  constructor(reachDisk: () => Promise<unknown>) {
    this.#reachDisk = reachDisk;
  }

  /** Notes that the change of a team with this stamp is on the disk. */
  note(teamId: string, at: Date): void {
    const latest = Math.max(at.getTime(), this.#latest.get(teamId) ?? 0);
    this.#latest.delete(teamId);
    this.#latest.set(teamId, latest);
    for (const oldest of this.#latest.keys()) {
      if (this.#latest.size <= maxTeams) return;
      this.#latest.delete(oldest);
    }
  }

  /** Resolves when a change of a team that was read before the call is on the disk. */
  async include(teamId: string, at: Date): Promise<void> {
    const time = at.getTime();
    if (time < Date.now() - recentMs || time <= (this.#latest.get(teamId) ?? 0)) return;
    await this.reachDisk();
    this.note(teamId, at);
  }

  /** Resolves when everything that was read before the call is on the disk. Simultaneous callers share a statement. */
  async reachDisk(): Promise<void> {
    if (this.#running === undefined) return this.#start();
    // The statement that runs may have begun before the read.
    this.#next ??= this.#running.then(
      () => this.#start(),
      () => this.#start(),
    );
    await this.#next;
  }

  async #start(): Promise<void> {
    this.#next = undefined;
    const running = startSharedWork(this.#reachDisk);
    this.#running = running;
    try {
      await running;
    } finally {
      if (this.#running === running) this.#running = undefined;
    }
  }
}
