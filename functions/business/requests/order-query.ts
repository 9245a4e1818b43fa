import { z } from "@hono/zod-openapi";
import type { Business } from "../../../shared/businesses/index.ts";
import { normalisedPhone } from "../../../shared/customers/index.ts";
import { type OrderFilter, orderSearch, orderStatuses } from "../../../shared/orders/index.ts";
import { type PaymentStatus, paymentStatuses } from "../../../shared/payments/index.ts";
import { id, name } from "../../wire/fields.ts";
import { pageQuery } from "../../wire/paging.ts";
import { bound, within } from "./bounds.ts";

/** An order's payment_status; captured reads succeeded there, and is taken by either name. */
const paymentStatus = z
  .enum([...paymentStatuses, "succeeded"])
  .transform((status): PaymentStatus => (status === "succeeded" ? "captured" : status));

export const OrderQuery = z.object({
  ...pageQuery,
  status: z.enum(orderStatuses).optional(),
  payment_status: paymentStatus.optional(),
  customer: id().optional(),
  from: bound().optional(),
  to: bound().optional(),
  search: name(100).optional(),
});

type Asked = Omit<z.infer<typeof OrderQuery>, "limit" | "cursor">;

/** What the list is narrowed to; a phone is looked for as the business's country writes it. */
export const readOrderFilter = (
  { status, payment_status, customer, search, ...bounds }: Asked,
  business: Business,
): OrderFilter => ({
  status,
  paymentStatus: payment_status,
  customerId: customer,
  ...within(bounds, business),
  search:
    search === undefined
      ? undefined
      : orderSearch(search, {
          phone: normalisedPhone(search, business.defaultCountry),
          numberPrefix: business.settings.orderNumberPrefix,
        }),
});
