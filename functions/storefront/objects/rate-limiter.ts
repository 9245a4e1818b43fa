import { DurableObject } from "cloudflare:workers";
import type { Lease, LeaseRequest } from "../../http/surface-env.ts";

type Window = Readonly<{ endsAt: number; taken: number }>;

/**
 * One limit's counter, named by what it limits. It hands out leases of several requests, so that
 * few requests pay a hop; what is granted in a window never exceeds the limit.
 */
export class RateLimiter extends DurableObject {
  lease({ limit, windowMs, wanted, now }: LeaseRequest): Lease {
    const stored = this.ctx.storage.kv.get<Window>("window");
    const window =
      stored?.endsAt === windowEnd(now, windowMs)
        ? stored
        : { endsAt: windowEnd(now, windowMs), taken: 0 };
    const granted = Math.max(0, Math.min(wanted, limit - window.taken));
    const taken = window.taken + granted;
    this.ctx.storage.kv.put<Window>("window", { endsAt: window.endsAt, taken });
    return { granted, taken, resetAt: window.endsAt };
  }
}

const windowEnd = (now: number, windowMs: number) => now - (now % windowMs) + windowMs;
