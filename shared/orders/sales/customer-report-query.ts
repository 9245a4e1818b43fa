import { sql } from "drizzle-orm";
import type { Context } from "../../database/index.ts";
import { orders } from "../tables.ts";
import { assertReportRange, type SalesPeriod } from "./periods.ts";
import { isSale, soldOrders } from "./sold-orders-query.ts";

/** What a customer bought in a period. The revenue is in minor units, after refunds. */
export type CustomerSales = Readonly<{
  customerId: string;
  name: string | null;
  email: string | null;
  phone: string | null;
  /** Whether the customer's first sale is in the period. */
  isNew: boolean;
  orders: number;
  revenueMinor: number;
}>;

type SalesSum = Readonly<{ orders: number; revenueMinor: number }>;

export type CustomerReport = Readonly<{
  newCustomers: number;
  returningCustomers: number;
  /** The orders of customers, without those of guests. */
  sales: SalesSum;
  guests: SalesSum;
  /** By revenue, the highest first; of equal revenue, by id. */
  customers: readonly CustomerSales[];
}>;

type CustomerReportInput = Readonly<{
  range: SalesPeriod;
  locationId: string | undefined;
  limit: number;
  after: Readonly<{ revenueMinor: number; customerId: string }> | null;
}>;

/**
 * Reports who bought in a range, in one round trip: customers and guests in total, and a page of the
 * customers.
 *
 * @throws Refusal as `assertReportRange`.
 */
export async function createCustomerReport(
  { db, business }: Pick<Context, "db" | "business">,
  { range, locationId, limit, after }: CustomerReportInput,
): Promise<CustomerReport> {
  assertReportRange(range);
  // The customer's own index finds an earlier sale, so a customer with many orders costs little.
  const isNew = sql`not exists (select 1 from ${orders} as earlier
    where earlier.business_id = ${business.id} and earlier.customer_id = sold_orders.customer_id
      and earlier.created_at < ${range.start} and ${isSale(sql`earlier`)})`;
  const buyers = sql`with ${soldOrders({ businessId: business.id, periods: [range], locationId })},
    buyers as materialized (
      select customer_id, ${isNew} as is_new, count(*) as orders, sum(revenue_minor) as revenue
      from sold_orders group by customer_id)`;
  const totals = sql`(${buyers}
    select customer_id is null as is_guest, sum(is_new) as new_buyers, count(*) as buyers,
      sum(orders) as orders, sum(revenue) as revenue
    from buyers group by 1) as totals`;
  const afterLast = after
    ? sql`where (-buyers.revenue, buyers.customer_id) > (${-after.revenueMinor}, ${after.customerId})
        and buyers.customer_id is not null`
    : sql`where buyers.customer_id is not null`;
  // Reads the table customers of shared/customers, so that the names need no second round trip.
  const page = sql`(${buyers}
    select buyers.customer_id, customer.name, customer.email, customer.phone, buyers.is_new,
      buyers.orders, buyers.revenue
    from buyers left join customers as customer
      on customer.id = buyers.customer_id and customer.business_id = ${business.id}
    ${afterLast}
    order by buyers.revenue desc, buyers.customer_id limit ${limit}) as page`;
  const [summed, customers] = await db.batch([
    db
      .select({
        isGuest: sql<number>`totals.is_guest`,
        newBuyers: sql<number>`totals.new_buyers`,
        buyers: sql<number>`totals.buyers`,
        orders: sql<number>`totals.orders`,
        revenueMinor: sql<number>`totals.revenue`,
      })
      .from(totals),
    db
      .select({
        customerId: sql<string>`page.customer_id`,
        name: sql<string | null>`page.name`,
        email: sql<string | null>`page.email`,
        phone: sql<string | null>`page.phone`,
        isNew: sql<number>`page.is_new`,
        orders: sql<number>`page.orders`,
        revenueMinor: sql<number>`page.revenue`,
      })
      .from(page)
      .orderBy(sql`page.revenue desc, page.customer_id`),
  ]);
  const known = summed.find(({ isGuest }) => isGuest === 0);
  const guests = summed.find(({ isGuest }) => isGuest === 1);
  return {
    newCustomers: known?.newBuyers ?? 0,
    returningCustomers: (known?.buyers ?? 0) - (known?.newBuyers ?? 0),
    sales: { orders: known?.orders ?? 0, revenueMinor: known?.revenueMinor ?? 0 },
    guests: { orders: guests?.orders ?? 0, revenueMinor: guests?.revenueMinor ?? 0 },
    customers: customers.map((customer) => ({ ...customer, isNew: customer.isNew === 1 })),
  };
}
