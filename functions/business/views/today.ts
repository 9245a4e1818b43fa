import { z } from "@hono/zod-openapi";
import type { Business } from "../../../shared/businesses/index.ts";
import { formatMoney } from "../../../shared/kernel/index.ts";
import type { Today } from "../../../shared/today/index.ts";
import { ListedBookingView, viewListedBooking } from "./scheduling/booking.ts";

const count = () => z.number().int();

export const TodayView = z
  .object({
    date: z.string(),
    timezone: z.string(),
    currency: z.string(),
    orders: z
      .object({
        to_confirm: count(),
        confirmed: count(),
        preparing: count(),
        ready: count(),
        unpaid: count(),
      })
      .nullable(),
    bookings: z.object({ total: count(), upcoming: z.array(ListedBookingView) }).nullable(),
    sales: z
      .object({
        orders: count(),
        revenue: z.string(),
        days: z.array(z.object({ date: z.string(), orders: count(), revenue: z.string() })),
      })
      .nullable(),
    low_stock: z
      .object({
        total: count(),
        levels: z.array(
          z.object({
            product_id: z.string(),
            product_name: z.string(),
            variant_id: z.string().nullable(),
            variant_name: z.string().nullable(),
            location_id: z.string(),
            quantity_available: count(),
          }),
        ),
      })
      .nullable(),
    conversations: z.object({ unanswered: count() }).nullable(),
  })
  .openapi("Today");
type TodayView = z.infer<typeof TodayView>;

export const viewToday = (
  { date, orders, bookings, sales, lowStock, unansweredConversations: unanswered }: Today,
  { timezone, currency }: Business,
): TodayView => ({
  date,
  timezone,
  currency,
  orders: orders && {
    to_confirm: orders.toConfirm,
    confirmed: orders.confirmed,
    preparing: orders.preparing,
    ready: orders.ready,
    unpaid: orders.unpaid,
  },
  bookings: bookings && {
    total: bookings.total,
    upcoming: bookings.upcoming.map(viewListedBooking),
  },
  sales: sales && viewSales(sales, currency),
  low_stock: lowStock && {
    total: lowStock.total,
    levels: lowStock.levels.map((level) => ({
      product_id: level.productId,
      product_name: level.productName,
      variant_id: level.itemId === level.productId ? null : level.itemId,
      variant_name: level.variantName,
      location_id: level.locationId,
      quantity_available: level.quantityAvailable,
    })),
  },
  conversations: unanswered === null ? null : { unanswered },
});

const viewSales = (days: NonNullable<Today["sales"]>, currency: string) => ({
  orders: days.reduce((sum, { orders }) => sum + orders, 0),
  revenue: formatMoney(
    days.reduce((sum, { revenueMinor }) => sum + revenueMinor, 0),
    currency,
  ),
  days: days.map(({ date, orders, revenueMinor }) => ({
    date,
    orders,
    revenue: formatMoney(revenueMinor, currency),
  })),
});
