import { formatTable } from "./format-table.ts";
import type { ShopDatabase } from "./runtime.ts";

/** A rule that the stored rows must follow, and the number of rows that violate it. */
export type RuleViolations = Readonly<{ rule: string; violations: number }>;

export type Reconciliation = Readonly<{ orders: number; findings: readonly RuleViolations[] }>;

/**
 * What holds after the load in addition to the operator's checks, each with a query that counts
 * violations in a business: its shoppers pay at once, and nothing is cancelled or returned.
 */
const rules: readonly Readonly<{ rule: string; violations: string }>[] = [
  {
    rule: "every order has one payment, and it is captured",
    violations: `select count(*) as found from orders as o where o.business_id = ?1 and (
      select count(*) from payments as p where p.order_id = o.id and p.status = 'captured'
        and p.amount_minor = o.total_price_minor) <> 1`,
  },
  {
    rule: "every payment has an order",
    violations: `select count(*) as found from payments as p where p.business_id = ?1
      and not exists (select 1 from orders as o where o.id = p.order_id)`,
  },
  {
    rule: "stock movements of an order match its lines",
    violations: `select count(*) as found from (
      select o.id, (select sum(l.quantity) from order_lines as l where l.order_id = o.id) as sold,
        (select sum(m.reserved_delta - m.on_hand_delta) from stock_movements as m
          where m.order_id = o.id) as moved
      from orders as o where o.business_id = ?1) where sold is not moved`,
  },
  {
    rule: "order numbers are consecutive",
    violations: `select abs(max(cast(substr(order_number, 5) as integer)) - 1000 - count(*)) as found
      from orders where business_id = ?1 having count(*) > 0`,
  },
];

/**
 * Compares the orders that checkout returned with the orders in the shards, and checks all rules.
 */
export async function reconcile(
  databases: readonly ShopDatabase[],
  businessId: string,
  receivedIds: readonly string[],
): Promise<Reconciliation> {
  const { orderIds, findings } = await checkBooks(databases, businessId);
  return {
    orders: orderIds.length,
    findings: [...compareOrderIds(orderIds, receivedIds), ...findings],
  };
}

/** Checks all rules, and lists the ids of the business's orders. */
export async function checkBooks(
  databases: readonly ShopDatabase[],
  businessId: string,
): Promise<Readonly<{ orderIds: readonly string[]; findings: readonly RuleViolations[] }>> {
  const shards = await Promise.all(
    databases.map(async (database) => {
      const rowsOf = async (query: string) =>
        (await database.prepare(query).bind(businessId).all()).results.map((row) => Object(row));
      const orders = await rowsOf("select id from orders where business_id = ?1");
      const counts = await Promise.all(rules.map(({ violations }) => rowsOf(violations)));
      return {
        orderIds: orders.map(({ id }) => String(id)),
        violations: counts.map(([row]) => Number(row?.found ?? 0)),
      };
    }),
  );
  const findings = rules.map(({ rule }, index) => ({
    rule,
    violations: shards.reduce((sum, { violations }) => sum + (violations[index] ?? 0), 0),
  }));
  return { orderIds: shards.flatMap(({ orderIds }) => orderIds), findings };
}

function compareOrderIds(
  storedIds: readonly string[],
  receivedIds: readonly string[],
): readonly RuleViolations[] {
  const [stored, received] = [new Set(storedIds), new Set(receivedIds)];
  return [
    {
      rule: "every order that a shopper received is stored",
      violations: received.size - [...received].filter((id) => stored.has(id)).length,
    },
    {
      rule: "every stored order was received by a shopper",
      violations: storedIds.filter((id) => !received.has(id)).length,
    },
    {
      rule: "no two checkouts returned the same order",
      violations: receivedIds.length - received.size,
    },
  ];
}

export function formatReconciliation({ orders, findings }: Reconciliation): string {
  const rows = findings.map(({ rule, violations }) => [rule, String(violations)]);
  return formatTable([`reconciliation of ${orders} orders`, "violations"], rows);
}
