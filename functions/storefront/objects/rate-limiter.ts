import { DurableObject } from "cloudflare:workers";
import { hour, minute, stackOf } from "../../../shared/kernel/index.ts";
import { log } from "../../runtime/log.ts";
import { grantFor, type Lease, type LeaseRequest } from "../../runtime/rate-limit-counters.ts";
import { runtime } from "../../runtime/runtime.ts";

/** A window is kept for this time after its end, because the clock of an isolate may be slow. */
const clockToleranceMs = minute;

/**
 * Grants are stored at most this long after they were given, those of all limits of the object
 * together: a call does not wait for storage, and the calls of a busy counter share a write. An object
 * that restarts in this time has forgotten them.
 */
const storeAfterMs = 250;

/** The requests that each window has granted so far. The key is the window's end. */
type LeasedByWindowEnd = Map<number, number>;

const takenKey = "taken";

/**
 * The counter of one rate limit, or of the limits of many networks. Grants leases of several requests
 * at once, so that few requests wait for a round trip. A window grants no more than its limit, but
 * after a restart of the object it may grant again what it granted just before.
 */
export class RateLimiter extends DurableObject {
  /** Counts that are not stored yet, by the key under which they will be. */
  readonly #unsaved = new Map<string, LeasedByWindowEnd>();
  #isStoreScheduled = false;
  #isCleanupSet = false;

  async lease(...requests: readonly LeaseRequest[]): Promise<Lease> {
    const lease = requests.flatMap((request) => this.#grant(request));
    this.#scheduleStore();
    return lease;
  }

  #grant({ part, limit, windowMs, windows }: LeaseRequest): Lease {
    const key = part === undefined ? takenKey : `${takenKey}:${part}`;
    const before =
      this.#unsaved.get(key) ?? this.ctx.storage.kv.get<LeasedByWindowEnd>(key) ?? new Map();
    // Keeps the last window, because the clock of an isolate may be slow.
    const oldestEnd = runtime.now() - windowMs;
    const taken: LeasedByWindowEnd = new Map([...before].filter(([endsAt]) => endsAt > oldestEnd));
    const lease = windows.map((window) => {
      const grant = grantFor(window, { limit, taken: taken.get(window.endsAt) ?? 0 });
      taken.set(window.endsAt, grant.taken);
      return grant;
    });
    this.#unsaved.set(key, taken);
    return lease;
  }

  #scheduleStore(): void {
    if (this.#isStoreScheduled) return;
    this.#isStoreScheduled = true;
    this.ctx.waitUntil(this.#storeAndCleanUpLater());
  }

  async #storeAndCleanUpLater(): Promise<void> {
    await scheduler.wait(storeAfterMs);
    this.#isStoreScheduled = false;
    try {
      this.#store();
      await this.#scheduleCleanup();
    } catch (error) {
      log("error", "grants of a limit not stored", { stack: stackOf(error) });
    }
  }

  #store(): void {
    for (const [key, taken] of this.#unsaved) {
      this.ctx.storage.kv.put(key, taken);
      this.#unsaved.delete(key);
    }
  }

  /** Deletes the counts of limits of which all windows have ended, and runs again while others are left. */
  override async alarm(): Promise<void> {
    this.#isCleanupSet = false;
    this.#store();
    const oldestEnd = runtime.now() - clockToleranceMs;
    let isInUse = false;
    const stored = [...this.ctx.storage.kv.list<LeasedByWindowEnd>({ prefix: takenKey })];
    for (const [key, taken] of stored) {
      const isCurrent = [...taken.keys()].some((endsAt) => endsAt > oldestEnd);
      if (isCurrent) isInUse = true;
      else this.ctx.storage.kv.delete(key);
    }
    if (isInUse) return this.#scheduleCleanup();
    await this.ctx.storage.deleteAll();
  }

  async #scheduleCleanup(): Promise<void> {
    if (this.#isCleanupSet) return;
    if ((await this.ctx.storage.getAlarm()) === null)
      await this.ctx.storage.setAlarm(runtime.now() + hour);
    this.#isCleanupSet = true;
  }
}
