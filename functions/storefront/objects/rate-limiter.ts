import { DurableObject } from "cloudflare:workers";
import { hour } from "../../../shared/kernel/index.ts";
import { grantOf, type Lease, type LeaseRequest } from "../../http/rate-limits/counters.ts";
import { chance } from "../../runtime/runtime.ts";

/** What is leased of each window, by its end. */
type Taken = Map<number, number>;

/**
 * One limit's counter, named by what it limits. It hands out leases of several requests, so that
 * few requests pay a hop; what is granted of a window never exceeds the limit, whose clock ever asks.
 */
export class RateLimiter extends DurableObject {
  #isSweepSet = false;

  async lease({ limit, windowMs, asks }: LeaseRequest): Promise<Lease> {
    const all = this.ctx.storage.kv.get<Taken>("taken") ?? new Map();
    const over = chance.now() - windowMs; // an isolate's clock may be a little behind
    const taken: Taken = new Map([...all].filter(([endsAt]) => endsAt > over));
    const lease = asks.map((ask) => {
      const grant = grantOf(ask, { limit, taken: taken.get(ask.endsAt) ?? 0 });
      taken.set(ask.endsAt, grant.taken);
      return grant;
    });
    this.ctx.storage.kv.put<Taken>("taken", taken);
    await this.#setSweep();
    return lease;
  }

  /** Whoever comes once leaves nothing behind. */
  override async alarm(): Promise<void> {
    this.#isSweepSet = false;
    const taken = this.ctx.storage.kv.get<Taken>("taken") ?? new Map();
    if ([...taken.keys()].some((endsAt) => endsAt > chance.now())) return this.#setSweep();
    await this.ctx.storage.deleteAll();
  }

  async #setSweep(): Promise<void> {
    if (this.#isSweepSet) return;
    this.#isSweepSet = true;
    if ((await this.ctx.storage.getAlarm()) === null)
      await this.ctx.storage.setAlarm(chance.now() + hour);
  }
}
