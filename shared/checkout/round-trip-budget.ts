import { type Refusal, unavailable } from "../kernel/index.ts";
import type { Checkout } from "./checkout.ts";
import type { CheckoutContext } from "./context.ts";
import { requireChargeProvider } from "./planned-records.ts";

/** The maximum number of D1 round trips of one POST /checkout. */
const maxRoundTrips = 3;

/** The context of a checkout whose budget does not include the round trips made so far. */
export function withFullBudget<C extends Pick<CheckoutContext, "meter">>(ctx: C): C {
  const before = ctx.meter.d1;
  return {
    ...ctx,
    meter: {
      ...ctx.meter,
      get d1() {
        return ctx.meter.d1 - before;
      },
    },
  };
}

/** Whether the request may make this many more round trips. */
export const hasRoundTripsLeft = (
  { meter }: Pick<CheckoutContext, "meter">,
  needed: number,
): boolean => meter.d1 + needed <= maxRoundTrips;

/**
 * The number of round trips that place an order and record its charge. A payment that is due to the
 * business needs no record, because the order is placed as due.
 */
export const roundTripsToPlace = (ctx: CheckoutContext, checkout: Checkout): number =>
  requireChargeProvider(ctx, checkout).collectedBy === "business" ? 1 : 2;

/**
 * Others bought the same in between, or a price changed, and no round trip is left to try again.
 * Nothing was placed.
 */
export const outOfRoundTrips = (): Refusal =>
  unavailable(
    "Stock or prices changed at this very moment; try again with the same Idempotency-Key.",
  );
