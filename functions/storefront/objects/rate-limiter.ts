import { DurableObject } from "cloudflare:workers";
import { hour } from "../../../shared/kernel/index.ts";
import { grantFor, type Lease, type LeaseRequest } from "../../runtime/rate-limit-counters.ts";
import { runtime } from "../../runtime/runtime.ts";

/** Requests leased of each window, by the window's end. */
type LeasedByWindowEnd = Map<number, number>;

/**
 * The counter of one limit, named by whose requests it limits. It leases several requests at once,
 * so that few requests pay a round trip, and never more of a window than its limit.
 */
export class RateLimiter extends DurableObject {
  #isCleanupSet = false;

  async lease({ limit, windowMs, windows }: LeaseRequest): Promise<Lease> {
    const stored = this.ctx.storage.kv.get<LeasedByWindowEnd>("taken") ?? new Map();
    const oldestEnd = runtime.now() - windowMs; // an isolate's clock may be a little behind
    const taken: LeasedByWindowEnd = new Map([...stored].filter(([endsAt]) => endsAt > oldestEnd));
    const lease = windows.map((window) => {
      const grant = grantFor(window, { limit, taken: taken.get(window.endsAt) ?? 0 });
      taken.set(window.endsAt, grant.taken);
      return grant;
    });
    this.ctx.storage.kv.put<LeasedByWindowEnd>("taken", taken);
    await this.#scheduleCleanup();
    return lease;
  }

  /** Deletes the storage of a counter that is no longer used. */
  override async alarm(): Promise<void> {
    this.#isCleanupSet = false;
    const taken = this.ctx.storage.kv.get<LeasedByWindowEnd>("taken") ?? new Map();
    if ([...taken.keys()].some((endsAt) => endsAt > runtime.now())) return this.#scheduleCleanup();
    await this.ctx.storage.deleteAll();
  }

  async #scheduleCleanup(): Promise<void> {
    if (this.#isCleanupSet) return;
    this.#isCleanupSet = true;
    if ((await this.ctx.storage.getAlarm()) === null)
      await this.ctx.storage.setAlarm(runtime.now() + hour);
  }
}
