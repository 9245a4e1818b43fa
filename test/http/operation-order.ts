import type { Operation } from "./operations.ts";

/** Operations that end or use up records of other operations come later, in this order. */
const laterOperations: readonly RegExp[] = [
  /\/orders\/bulk-status$/,
  /\/dead-letters\/retry$/,
  /\/(?:skip|reschedule)$/,
  /\/pause$/,
  /\/resume$/,
  /^DELETE \/api\/v1\/cart\/coupons\/\{/,
  /^DELETE \/api\/v1\/cart\/items/,
  /\/checkout$/,
  /^PATCH \/api\/v1\/webhooks/,
  /^PATCH \/v1\/businesses\/.*\/locations/,
  /\/bookings\/\{booking_id\}\/cancel$/,
  /\/(?:cancel|close)$/,
  /\/bookings\/\{booking_id\}\/status$/,
  /\/products\/bulk-status$/,
  /^DELETE .*\/products\/\{product_id\}\//,
  /^DELETE (?!\/api\/v1\/cart\/(?:items|coupons\/\{)|.*\/products\/\{product_id\}\/)/,
  /\/(?:verify-otp|auth\/refresh|elements\/refresh)$/,
  /^DELETE .*\/(?:sessions|contacts|data|keys)/,
  /^DELETE .*\/passkeys\//,
  /^DELETE .*\/(?:members\/|operators\/)/,
  /^DELETE \/v1\/console\/me$/,
  /\/logout$/,
  /^POST \/v1\/businesses\/\{business_id\}\/suspend$/,
  /^POST \/v1\/businesses\/\{business_id\}\/close$/,
  /^POST \/v1\/businesses\/\{business_id\}\/resume$/,
  /^(?:PATCH \/v1\/businesses\/\{business_id\}|POST .*\/move)$/,
];

/** Operations that need an order before others pay, cancel or refund it. */
export const earlierOperations = /\/orders\/\{order_id\}\/(?:pay|payment-link)$/;

const stageOf = ({ id }: Operation): number =>
  earlierOperations.test(id) ? -2 : laterOperations.findLastIndex((stage) => stage.test(id));

/** Sorts operations so that one set of records is enough to run all of them. */
export const inRunnableOrder = (operations: readonly Operation[]): readonly Operation[] =>
  operations.toSorted((one, other) => stageOf(one) - stageOf(other));
