import { conflict, Refusal } from "../../../../shared/kernel/index.ts";

/** For whoever comes while the steps of a checkout run. */
export const stillRunning = () =>
  conflict("A checkout of this cart is under way; wait for it and try again.", { retryable: true });

/** Whether it is about the coupon, which then leaves the cart. */
export const isCouponsRefusal = (error: unknown): boolean =>
  error instanceof Refusal && error.context?.rule?.startsWith("COUPON_") === true;

/** A rule's word, that of an order that is gone or a login that has ended: going on would end the same way. */
export const isFinalRefusal = (error: unknown): boolean =>
  error instanceof Refusal &&
  (error.code === "BUSINESS_RULE_VIOLATION" ||
    error.code === "UNAUTHORIZED" ||
    (error.code === "CONFLICT" && error.retryable !== true));
