import type { Operation } from "./operations.ts";

/** What uses up or ends what others are asked about comes after them, in this order. */
const stages: readonly RegExp[] = [
  /\/(?:skip|reschedule)$/,
  /\/pause$/,
  /\/resume$/,
  /^DELETE \/api\/v1\/cart\/items/,
  /\/checkout$/,
  /^PATCH \/api\/v1\/webhooks/,
  /^PATCH \/v1\/businesses\/.*\/locations/,
  /\/bookings\/\{booking_id\}\/cancel$/,
  /\/(?:cancel|close)$/,
  /\/bookings\/\{booking_id\}\/status$/,
  /^DELETE (?!\/api\/v1\/cart\/items)/,
  /\/(?:verify-otp|auth\/refresh|elements\/refresh)$/,
  /^DELETE .*\/(?:sessions|data|keys)/,
  /\/logout$/,
  /^(?:PATCH \/v1\/businesses\/\{business_id\}|POST .*\/move)$/,
];

const lateness = ({ id }: Operation): number => stages.findLastIndex((stage) => stage.test(id));

/** The operations in an order in which one world can answer all of them. */
export const inOrder = (operations: readonly Operation[]): readonly Operation[] =>
  operations.toSorted((one, other) => lateness(one) - lateness(other));
