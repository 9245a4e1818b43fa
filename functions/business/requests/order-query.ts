import { z } from "@hono/zod-openapi";
import type { Business } from "../../../shared/businesses/index.ts";
import { normalizePhone } from "../../../shared/customers/index.ts";
import { type OrderFilter, orderStatuses, parseOrderSearch } from "../../../shared/orders/index.ts";
import { type PaymentStatus, paymentStatuses } from "../../../shared/payments/index.ts";
import { id, name } from "../../wire/fields.ts";
import { pageQuery } from "../../wire/paging.ts";
import { timeBound, toTimeFilter } from "./time-bounds.ts";

/** The filter by payment_status. `succeeded` is accepted as another name of `captured`. */
const paymentStatus = z
  .enum([...paymentStatuses, "succeeded"])
  .transform((status): PaymentStatus => (status === "succeeded" ? "captured" : status));

export const OrderQuery = z.object({
  ...pageQuery,
  status: z.enum(orderStatuses).optional(),
  payment_status: paymentStatus.optional(),
  customer: id().optional(),
  location_id: id().optional(),
  product_id: id().optional(),
  from: timeBound().optional(),
  to: timeBound().optional(),
  search: name(100).optional(),
});

type OrderFilterQuery = Omit<z.infer<typeof OrderQuery>, "limit" | "cursor">;

/**
 * Converts the query of an order list to a filter. A phone number in the search text is normalised
 * with the business's country.
 */
export const toOrderFilter = (
  {
    status,
    payment_status,
    customer,
    location_id,
    product_id,
    search,
    ...bounds
  }: OrderFilterQuery,
  business: Business,
): OrderFilter => ({
  status,
  paymentStatus: payment_status,
  customerId: customer,
  locationId: location_id,
  productId: product_id,
  ...toTimeFilter(bounds, business),
  search:
    search === undefined
      ? undefined
      : parseOrderSearch(search, {
          phone: normalizePhone(search, business.defaultCountry),
          numberPrefix: business.settings.orderNumberPrefix,
        }),
});
