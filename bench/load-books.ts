import type { CountedShop } from "./load-shop.ts";
import type { Told } from "./load-shoppers.ts";
import type { Runtime } from "./runtime.ts";

/** What a line of the books says, and how many rows contradict it. */
export type Finding = Readonly<{ says: string; breaches: number }>;

export type Books = Readonly<{ orders: number; findings: readonly Finding[] }>;

/** How many rows contradict a sentence; each query takes the business, and counts. */
const sentences: readonly Readonly<{ says: string; breaches: string }>[] = [
  {
    says: "every order was charged once, its own total",
    breaches: `select count(*) as found from orders as o where o.business_id = ?1 and (
      select count(*) from sandbox_charges as c where c.order_id = o.id) <> 1
      or o.business_id = ?1 and o.total_price_minor <> (
        select sum(c.amount_minor) from sandbox_charges as c where c.order_id = o.id)`,
  },
  {
    says: "every order has one payment, and it is captured",
    breaches: `select count(*) as found from orders as o where o.business_id = ?1 and (
      select count(*) from payments as p where p.order_id = o.id and p.status = 'captured'
        and p.amount_minor = o.total_price_minor) <> 1`,
  },
  {
    says: "every order told of itself once",
    breaches: `select count(*) as found from orders as o where o.business_id = ?1 and (
      select count(*) from events as e where e.business_id = ?1 and e.subject_id = o.id
        and e.type = 'order.created') <> 1`,
  },
  {
    says: "nothing was charged, or told of, without its order",
    breaches: `select (select count(*) from payments as p where p.business_id = ?1
        and not exists (select 1 from orders as o where o.id = p.order_id))
      + (select count(*) from events as e where e.business_id = ?1 and e.type = 'order.created'
        and not exists (select 1 from orders as o where o.id = e.subject_id)) as found`,
  },
  {
    says: "stock moved as much as each order's lines ask",
    breaches: `select count(*) as found from (
      select o.id, (select sum(l.quantity) from order_lines as l where l.order_id = o.id) as sold,
        (select sum(m.reserved_delta - m.on_hand_delta) from stock_movements as m
          where m.order_id = o.id) as moved
      from orders as o where o.business_id = ?1) where sold is not moved`,
  },
  {
    says: "every level is what its movements come to, and none is oversold",
    breaches: `select count(*) as found from stock_levels as level left join (
        select m.item_id, sum(m.on_hand_delta) as on_hand, sum(m.reserved_delta) as reserved
        from stock_movements as m where m.business_id = ?1 group by m.item_id) as moved
        on moved.item_id = level.item_id
      where level.business_id = ?1 and (level.quantity_reserved > level.quantity_on_hand
        or level.quantity_on_hand <> moved.on_hand or level.quantity_reserved <> moved.reserved)`,
  },
  {
    says: "order numbers go up by one",
    breaches: `select abs(max(cast(substr(order_number, 5) as integer)) - 1000 - count(*)) as found
      from orders where business_id = ?1 having count(*) > 0`,
  },
];

/** Holds what shoppers were told against what the database says. */
export async function booksOf(runtime: Runtime, shop: CountedShop, told: Told): Promise<Books> {
  const shops = await runtime.shops();
  const all = await Promise.all(
    shops.map(async (database) => {
      const { results } = await database
        .prepare("select id from orders where business_id = ?")
        .bind(shop.businessId)
        .all<{ id: string }>();
      const counted = await database.batch<{ found: number }>(
        sentences.map(({ breaches }) => database.prepare(breaches).bind(shop.businessId)),
      );
      return {
        ids: results.map(({ id }) => id),
        breaches: counted.map(({ results: [row] }) => row?.found ?? 0),
      };
    }),
  );
  const kept = all.flatMap(({ ids }) => ids);
  const findings = sentences.map(({ says }, index) => ({
    says,
    breaches: all.reduce((sum, { breaches }) => sum + (breaches[index] ?? 0), 0),
  }));
  return { orders: kept.length, findings: [...toldRightly(kept, told), ...findings] };
}

function toldRightly(kept: readonly string[], { orderIds }: Told): readonly Finding[] {
  const [told, standing] = [new Set(orderIds), new Set(kept)];
  return [
    {
      says: "every order that a shopper was told of is there",
      breaches: told.size - [...told].filter((id) => standing.has(id)).length,
    },
    {
      says: "there is none that nobody was told of",
      breaches: kept.filter((id) => !told.has(id)).length,
    },
    { says: "no two checkouts were told of one order", breaches: orderIds.length - told.size },
  ];
}
