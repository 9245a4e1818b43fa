import type { LimiterBinding } from "../../runtime/bindings.ts";
import type { Counters } from "../../runtime/rate-limit-counters.ts";

/** Counters in Durable Objects, one object per limit. */
export const objectCounters = (binding: LimiterBinding): Counters => ({
  lease: (name, request) => binding.getByName(name).lease(request),
});
