import { sql } from "drizzle-orm";
import type { Ledger } from "./books-check-query.ts";

/**
 * All stock levels of a business. Each is the sum of its movements. Reads stock_levels,
 * stock_movements of inventory.
 */
export const stockLedger: Ledger = {
  name: "stock_levels",
  page: ({ businessId, after, limit }) => sql`select stock_levels.*, item_id as first,
      location_id as second
    from stock_levels where business_id = ${businessId}
      and (item_id, location_id) > (${after?.[0] ?? ""}, ${after?.[1] ?? ""})
    order by item_id, location_id limit ${limit}`,
  checks: [
    {
      name: "stock_level",
      violations: () => sql`select level.item_id || ' ' || level.location_id as record,
          coalesce(sum(m.on_hand_delta), 0) || ' on hand, ' || coalesce(sum(m.reserved_delta), 0)
            || ' reserved' as expected,
          level.quantity_on_hand || ' on hand, ' || level.quantity_reserved || ' reserved' as found
        from page as level left join stock_movements as m on m.business_id = level.business_id
          and m.item_id = level.item_id and m.location_id = level.location_id
        group by level.item_id, level.location_id having found <> expected`,
    },
  ],
};

/**
 * All events of a business, by their subject. An event of an order has an order. Reads events of
 * database, orders of orders.
 */
export const eventLedger: Ledger = {
  name: "events",
  page: ({ businessId, after, limit }) => sql`select id, business_id, type, subject_id, is_test,
      subject_id as first, sequence as second
    from events where business_id = ${businessId}
      and (subject_id, sequence) > (${after?.[0] ?? ""}, ${Number(after?.[1] ?? 0)})
    order by subject_id, sequence limit ${limit}`,
  checks: [
    {
      name: "event_order",
      violations: () => sql`select e.id as record, e.subject_id as expected, null as found
        from page as e where e.type = 'order.created' and e.is_test = 0 and not exists (
          select 1 from orders as o where o.id = e.subject_id and o.business_id = e.business_id)`,
    },
  ],
};
