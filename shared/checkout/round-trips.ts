import { type Refusal, unavailable } from "../kernel/index.ts";
import type { Checkout } from "./checkout.ts";
import type { CheckoutContext } from "./context.ts";
import { providerOf } from "./planned-records.ts";

/** architecture.md, Speed: POST /checkout. */
const most = 3;

/** Whether so many more round trips may follow those that this call has made. */
export const mayAsk = ({ meter }: Pick<CheckoutContext, "meter">, further: number): boolean =>
  meter.d1 + further <= most;

/** What it takes to place an order and to record its charge; what is due is recorded with the order. */
export const tripsToPlace = (ctx: CheckoutContext, { request }: Checkout): number =>
  providerOf(ctx, request).takenBy === "business" ? 1 : 2;

/**
 * For a sale that others came between, at whose end there is no round trip left to try again: nothing
 * was placed, and the same key goes on with what is there by then.
 */
export const overtaken = (): Refusal =>
  unavailable("Others bought at this very moment; try again with the same Idempotency-Key.");
