import type { ShopContext } from "../businesses/index.ts";
import { type BatchedRead, mapRead, readTogether } from "../database/index.ts";
import { type LowStock, lowStockRead } from "../inventory/index.ts";
import { addDays, endOfDay, localDate, startOfDay } from "../kernel/calendar.ts";
import {
  type OpenOrderCounts,
  openOrdersRead,
  type PeriodSales,
  periodSalesRead,
  splitIntoPeriods,
} from "../orders/index.ts";
import { bookingListQuery, type PeriodBookings } from "../scheduling/index.ts";
import { conversationListRepo } from "../support/index.ts";

/** Which figures the caller may read. */
export type TodayAccess = Readonly<Record<"orders" | "inventory" | "support", boolean>>;

/** What a merchant looks at first. Figures that the caller may not read are null. */
export type Today = Readonly<{
  /** The day in the business's time zone. */
  date: string;
  orders: OpenOrderCounts | null;
  bookings: PeriodBookings | null;
  /** The sales of the last days, oldest first. */
  sales: readonly (PeriodSales & Readonly<{ date: string }>)[] | null;
  lowStock: LowStock | null;
  unansweredConversations: number | null;
}>;

/** A count ends here, so that it costs no more in a large business. */
const maxCount = 1_000;
const bookingLimits = { maxTotal: maxCount, maxUpcoming: 10 };
const lowStockLimits = { maxTotal: maxCount, maxLevels: 5 };
const salesDays = 30;

/** Loads all figures in one round trip. */
export async function loadToday(ctx: ShopContext, access: TodayAccess): Promise<Today> {
  const { timezone } = ctx.business;
  const now = ctx.now();
  const date = localDate(now, timezone);
  const end = endOfDay(date, timezone);
  const start = startOfDay(addDays(date, 1 - salesDays), timezone);
  const days = splitIntoPeriods({ start, end }, "day", timezone);
  const today = { from: startOfDay(date, timezone), to: end - 1 };
  const reads: readonly BatchedRead<Partial<Figures>>[] = [
    ...(access.orders
      ? [
          mapRead(openOrdersRead(ctx, maxCount), (orders) => ({ orders })),
          mapRead(
            bookingListQuery(ctx).periodRead(today, { now, ...bookingLimits }),
            (bookings) => ({
              bookings,
            }),
          ),
          mapRead(periodSalesRead(ctx, days), (sales) => ({ sales: datedSales(date, sales) })),
        ]
      : []),
    ...(access.inventory
      ? [mapRead(lowStockRead(ctx, lowStockLimits), (lowStock) => ({ lowStock }))]
      : []),
    ...(access.support
      ? [
          mapRead(conversationListRepo(ctx).unanswered(maxCount), (unansweredConversations) => ({
            unansweredConversations,
          })),
        ]
      : []),
  ];
  const figures = await readTogether(ctx.db, reads);
  const all = figures.reduce<Figures>((sum, read) => Object.assign(sum, read), { ...noFigures });
  return { date, ...all };
}

type Figures = Omit<Today, "date">;

const noFigures: Figures = {
  orders: null,
  bookings: null,
  sales: null,
  lowStock: null,
  unansweredConversations: null,
};

/** The sales of the days up to `last`, with their dates. */
const datedSales = (last: string, sales: readonly PeriodSales[]) =>
  sales.map((period, index) => ({ ...period, date: addDays(last, 1 + index - sales.length) }));
