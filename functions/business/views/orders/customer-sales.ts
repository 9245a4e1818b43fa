import { z } from "@hono/zod-openapi";
import type { Business } from "../../../../shared/businesses/index.ts";
import { formatMoney, iso } from "../../../../shared/kernel/index.ts";
import type {
  CustomerReport,
  CustomerSales,
  SalesPeriod,
} from "../../../../shared/orders/index.ts";
import { formatNumberPosition } from "../../../wire/cursor-position.ts";
import { createPage, Page } from "../../../wire/paging.ts";

const CustomerSalesView = z
  .object({
    customer_id: z.string(),
    name: z.string().nullable(),
    email: z.string().nullable(),
    phone: z.string().nullable(),
    is_new: z.boolean(),
    orders: z.number().int(),
    revenue: z.string(),
  })
  .openapi("CustomerSales");

export const CustomerReportView = Page(CustomerSalesView)
  .extend({
    from: z.string(),
    to: z.string(),
    timezone: z.string(),
    currency: z.string(),
    new_customers: z.number().int(),
    returning_customers: z.number().int(),
    orders: z.number().int(),
    revenue: z.string(),
    guests: z.object({ orders: z.number().int(), revenue: z.string() }),
  })
  .openapi("CustomerReport");

export function viewCustomerReport(
  { newCustomers, returningCustomers, sales, guests, customers }: CustomerReport,
  { range, limit }: Readonly<{ range: SalesPeriod; limit: number }>,
  { timezone, currency }: Business,
): z.infer<typeof CustomerReportView> {
  const money = (minor: number) => formatMoney(minor, currency);
  return {
    from: iso(range.start),
    to: iso(range.end),
    timezone,
    currency,
    new_customers: newCustomers,
    returning_customers: returningCustomers,
    orders: sales.orders,
    revenue: money(sales.revenueMinor),
    guests: { orders: guests.orders, revenue: money(guests.revenueMinor) },
    ...createPage(customers, {
      limit,
      view: ({ customerId, name, email, phone, isNew, orders, revenueMinor }: CustomerSales) => ({
        customer_id: customerId,
        name,
        email,
        phone,
        is_new: isNew,
        orders,
        revenue: money(revenueMinor),
      }),
      position: ({ revenueMinor, customerId }) => formatNumberPosition(revenueMinor, customerId),
    }),
  };
}
