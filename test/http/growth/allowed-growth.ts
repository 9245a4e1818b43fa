const returnsAll = "returns all records";
const searchReason = "a search reads every record with its words";
const twoFiltersReason =
  "one of two filters uses an index; the rows that the other excludes are skipped";
const lowStockReason =
  "up to 1,000 levels are scanned for a page: low stock depends on a setting, which no index covers";
const dealsReason =
  "deals are read from the newest until a page matches; a business has few, and no index has their times";
const exportReason = "exports every record";
const salesReason = "sums the sales of the requested period";
const todayReason = "counts up to 1,000 records, and sums the sales of 30 days";
const stockValueReason = "sums up the value of all stock on the first page";
/**
 * A listing scans up to 1,000 products per page. Both businesses have fewer;
 * test/storefront/catalogue-scan-costs.test.ts exceeds the limit.
 */
const scanLimitReason = "up to 1,000 products are scanned for a page, and neither shop has as many";

/**
 * The requests that read more rows in a larger business, and why. A request's next page is
 * included. The test also fails for an entry that reads no more rows.
 */
export const allowedGrowth: ReadonlyMap<string, string> = new Map([
  ["GET /api/v1/catalogue/categories", returnsAll],
  ["GET /api/v1/catalogue/billing-plans", returnsAll],
  ["GET /api/v1/scheduling/services", returnsAll],
  ["GET /v1/businesses/{business_id}/reports/sales?", salesReason],
  ["GET /v1/businesses/{business_id}/reports/sales?from=2030-06-01T00:00:00Z", salesReason],
  ["GET /v1/businesses/{business_id}/reports/sales?interval=day", salesReason],
  ["GET /v1/businesses/{business_id}/reports/sales?interval=month", salesReason],
  ["GET /v1/businesses/{business_id}/reports/sales?interval=week", salesReason],
  ["GET /v1/businesses/{business_id}/reports/tax?", salesReason],
  ["GET /v1/businesses/{business_id}/reports/tax?from=2030-06-01T00:00:00Z", salesReason],
  ["GET /v1/businesses/{business_id}/reports/tax?interval=day", salesReason],
  ["GET /v1/businesses/{business_id}/reports/tax?interval=week", salesReason],
  ["GET /v1/businesses/{business_id}/reports/tax?interval=month", salesReason],
  ["GET /v1/businesses/{business_id}/reports/tax?location_id={{location_id}}", salesReason],
  ["GET /v1/businesses/{business_id}/reports/customers?", salesReason],
  ["GET /v1/businesses/{business_id}/reports/customers?from=2030-06-01T00:00:00Z", salesReason],
  ["GET /v1/businesses/{business_id}/reports/customers?location_id={{location_id}}", salesReason],
  ["GET /v1/businesses/{business_id}/today", todayReason],
  ["GET /v1/businesses/{business_id}/reports/stock", stockValueReason],
  ["GET /v1/businesses/{business_id}/reports/stock?", stockValueReason],
  ["GET /v1/businesses/{business_id}/reports/stock?location_id={{location_id}}", stockValueReason],
  ["GET /v1/businesses/{business_id}/reports/stock?low_stock=true", stockValueReason],
  ["GET /v1/businesses/{business_id}/reports/stock?low_stock=false", stockValueReason],
  ["GET /api/v1/catalogue/products?featured=false", scanLimitReason],
  ["GET /api/v1/catalogue/products?min_price=9", scanLimitReason],
  ["GET /api/v1/catalogue/products?max_price=9", scanLimitReason],
  ["GET /api/v1/catalogue/products?sort_by=name&tags=hot", scanLimitReason],
  ["GET /api/v1/catalogue/products?sort_by=name&featured=false", scanLimitReason],
  ["GET /api/v1/catalogue/products?sort_by=name&in_stock=true", scanLimitReason],
  ["GET /api/v1/catalogue/products?sort_by=name&min_price=9", scanLimitReason],
  ["GET /api/v1/catalogue/products?sort_by=price&featured=false", scanLimitReason],
  ["GET /api/v1/catalogue/products?sort_by=price&location_id={{location_id}}", scanLimitReason],
  ["GET /api/v1/catalogue/products?search=tea", searchReason],
  ["GET /api/v1/catalogue/products?sort_by=name&search=tea", searchReason],
  ["GET /api/v1/catalogue/products?sort_by=price&search=tea", searchReason],
  ["GET /api/v1/catalogue/collections?search=tea", searchReason],
  ["GET /api/v1/catalogue/bundles?search=tea", searchReason],
  ["GET /v1/businesses/{business_id}/products?search=tea", searchReason],
  ["GET /v1/businesses/{business_id}/inventory?search=tea", searchReason],
  ["GET /v1/businesses/{business_id}/reports/stock?search=tea", stockValueReason],
  ...["search=tea", ...["inactive", "ended"].map((one) => `status=${one}`)].map(
    (query) => [`GET /v1/businesses/{business_id}/deals?${query}`, dealsReason] as const,
  ),
  [
    "GET /v1/businesses/{business_id}/orders?status=pending&payment_status=captured",
    twoFiltersReason,
  ],
  ["GET /v1/businesses/{business_id}/inventory?low_stock=true", lowStockReason],
  ["GET /v1/businesses/{business_id}/inventory?low_stock=false", lowStockReason],
  ["GET /v1/businesses/{business_id}/exports/products", exportReason],
  ["GET /v1/businesses/{business_id}/customers/export", exportReason],
  ...[
    "",
    "status=pending",
    "status=confirmed",
    "status=cancelled",
    "payment_status=requires_action",
    "payment_status=succeeded",
    "location_id={{location_id}}",
    "from=2030-06-01T00:00:00Z",
    "to=2099-01-01T00:00:00Z",
    "status=pending&payment_status=requires_action",
    "status=pending&payment_status=captured",
  ].map(
    (query) => [`GET /v1/businesses/{business_id}/orders/export?${query}`, exportReason] as const,
  ),
]);

/**
 * Operations of Link and the operator read CORE, which holds nothing that a business sells; a move
 * and a file of an export contain the whole business.
 */
export const storedInCore =
  /^[A-Z]+ (?:\/v1\/(?:link|organizations|operator|console)\b|\/v1\/businesses$|.*\/move$|.*\/exports(?:$|\/\{)|.*\/imports\/business)/;

/** Operations without a success in these shops, and why. */
export const withoutSuccess: readonly string[] = [
  "GET /api/v1/support/conversation/ws", // needs a WebSocket
  "GET /v1/businesses/{business_id}/conversations/{thread_id}/ws",
  "POST /api/v1/payments/providers/paystack/webhook", // needs a signature
  "POST /api/v1/payments/providers/{provider}/webhook/{business_id}",
  "POST /v1/businesses/{business_id}/payment-providers/{provider}/purge", // the account is active
  "POST /api/v1/auth/verify-otp", // the code expires after 300 s
  "POST /api/v1/orders/{order_id}/reopen-cart", // the order is paid by then
  // The only booking and its order are cancelled and refunded by then.
  "POST /v1/businesses/{business_id}/bookings/{booking_id}/cancel",
  "POST /v1/businesses/{business_id}/bookings/{booking_id}/reschedule",
  "POST /v1/businesses/{business_id}/bookings/{booking_id}/status",
  "POST /v1/businesses/{business_id}/orders/{order_id}/cancel",
  "POST /v1/businesses/{business_id}/orders/{order_id}/payments/mark-paid",
];
