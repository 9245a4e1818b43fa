import { type Refusal, unavailable } from "../kernel/index.ts";
import type { Checkout } from "./checkout.ts";
import type { CheckoutContext } from "./context.ts";
import { requireProvider } from "./planned-records.ts";

/** The most D1 round trips that one POST /checkout may make. */
const maxRoundTrips = 3;

/** Whether the call may make this many more round trips. */
export const hasRoundTripsLeft = (
  { meter }: Pick<CheckoutContext, "meter">,
  needed: number,
): boolean => meter.d1 + needed <= maxRoundTrips;

/** The round trips that place an order and record its charge. What is due is placed as due. */
export const roundTripsToPlace = (ctx: CheckoutContext, { request }: Checkout): number =>
  requireProvider(ctx, request).collectedBy === "business" ? 1 : 2;

/** Others bought the same in between, and no round trip is left to try again. Nothing was placed. */
export const outOfRoundTrips = (): Refusal =>
  unavailable("Others bought at this very moment; try again with the same Idempotency-Key.");
