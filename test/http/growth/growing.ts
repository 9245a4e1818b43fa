const all = "answers with all of them";
const searched = "a search reads whatever has its words, the one answer that may grow";
const walked = "of two filters one has the index, and what the other leaves out is passed by";
const low =
  "up to 1,000 levels are looked at for a page: what is low depends on a setting, which no index knows";
const exported = "the whole catalogue as a file";
const summed = "what is sold in the time that is asked is summed up";
/** `usualReach`, and half of it; test/storefront/catalogue-growth.test.ts goes beyond it. */
const reach = "up to 1,000 products are looked at for a page, and neither business has as many";

/**
 * The requests for which a larger business reads more rows, and why. It is exact: one that reads no
 * more is not among them. A request's next page goes with it.
 */
export const growing: ReadonlyMap<string, string> = new Map([
  ["GET /api/v1/catalogue/categories", all],
  ["GET /api/v1/scheduling/services", all],
  ["GET /v1/businesses/{business_id}/reports/sales?", summed],
  ["GET /v1/businesses/{business_id}/reports/sales?from=2030-06-01T00:00:00Z", summed],
  ["GET /v1/businesses/{business_id}/reports/sales?interval=day", summed],
  ["GET /v1/businesses/{business_id}/reports/sales?interval=month", summed],
  ["GET /v1/businesses/{business_id}/reports/sales?interval=week", summed],
  ["GET /api/v1/catalogue/products?featured=false", reach],
  ["GET /api/v1/catalogue/products?min_price=9", reach],
  ["GET /api/v1/catalogue/products?max_price=9", reach],
  ["GET /api/v1/catalogue/products?sort_by=name&tags=hot", reach],
  ["GET /api/v1/catalogue/products?sort_by=name&featured=false", reach],
  ["GET /api/v1/catalogue/products?sort_by=name&in_stock=true", reach],
  ["GET /api/v1/catalogue/products?sort_by=name&min_price=9", reach],
  ["GET /api/v1/catalogue/products?sort_by=price&featured=false", reach],
  ["GET /api/v1/catalogue/products?sort_by=price&location_id={{location_id}}", reach],
  ["GET /api/v1/catalogue/products?search=tea", searched],
  ["GET /api/v1/catalogue/products?sort_by=name&search=tea", searched],
  ["GET /api/v1/catalogue/products?sort_by=price&search=tea", searched],
  ["GET /api/v1/catalogue/collections?search=tea", searched],
  ["GET /api/v1/catalogue/bundles?search=tea", searched],
  ["GET /v1/businesses/{business_id}/orders?status=pending&payment_status=captured", walked],
  ["GET /v1/businesses/{business_id}/inventory?low_stock=true", low],
  ["GET /v1/businesses/{business_id}/inventory?low_stock=false", low],
  ["GET /v1/businesses/{business_id}/exports/products", exported],
]);

/** Link's and the operator's records are in CORE, where no business keeps what it sells; a move copies all of a business. */
export const ofCore = /^[A-Z]+ (?:\/v1\/(?:link|organizations)\b|\/v1\/businesses$|.*\/move$)/;

/** What is asked, and refused: these worlds have no success of it. */
export const refused: readonly string[] = [
  "GET /api/v1/support/conversation/ws", // no socket
  "GET /v1/businesses/{business_id}/conversations/{thread_id}/ws",
  "POST /api/v1/payments/providers/paystack/webhook", // no signature
  "POST /api/v1/auth/verify-otp", // the code is older than its 300 s
  // The world's one booking is cancelled by its customer, as is its order, and money has come for it.
  "POST /v1/businesses/{business_id}/bookings/{booking_id}/cancel",
  "POST /v1/businesses/{business_id}/bookings/{booking_id}/reschedule",
  "POST /v1/businesses/{business_id}/bookings/{booking_id}/status",
  "POST /v1/businesses/{business_id}/orders/{order_id}/cancel",
  "POST /v1/businesses/{business_id}/orders/{order_id}/payments/mark-paid",
];
