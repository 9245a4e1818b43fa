import type { Business } from "../../../shared/businesses/index.ts";
import { createLruCache } from "../../../shared/kernel/index.ts";

/**
 * A business in a call of an object: JSON, because the runtime copies a text in a fraction of the
 * time that it takes for as many fields, and the receiver usually has it parsed already. During a
 * deployment, a Worker of the version before sends the fields. An object of the version before does
 * not know the text, therefore objects take new code at once (`code_update_strategy`).
 */
export type SentBusiness = string | Business;

/** A call as it is sent to an object. */
export type SentCall<Call extends Readonly<{ business: Business }>> = Omit<Call, "business"> &
  Readonly<{ business: SentBusiness }>;

const texts = new WeakMap<Business, string>();

/** The business as it is sent, which is built once for each business in the isolate's cache. */
export function toSentBusiness(business: Business): string {
  const text = texts.get(business) ?? JSON.stringify(business);
  texts.set(business, text);
  return text;
}

/** The parsed businesses take several times as much memory as their texts. */
const maxCachedTextLength = 2_000_000;

/** The businesses of recent calls. */
const businesses = createLruCache<Business>(maxCachedTextLength, (_, text) => text.length);

/** The business of a received call. */
export function fromSentBusiness(sent: SentBusiness): Business {
  if (typeof sent !== "string") return sent;
  const cached = businesses.get(sent);
  if (cached) return cached;
  // Safe: only `toSentBusiness` makes these texts.
  const business = JSON.parse(sent) as Business;
  businesses.put(sent, business);
  return business;
}
