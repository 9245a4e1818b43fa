import { sql } from "drizzle-orm";
import type { Ledger } from "./books-check-query.ts";

const columns = (row: string) =>
  sql.raw(`${row}.service_id, ${row}.location_id, ${row}.starts_at,
  ${row}.occupied_until, coalesce(${row}.expires_at, 0) as expires_at`);

/**
 * All services of a business. The ranges that each occupies are the sums of its slot claims. Reads
 * services, slot_claims, occupied_ranges of scheduling.
 */
export const slotLedger: Ledger = {
  name: "services",
  page: ({ businessId, after, limit }) => sql`select id, business_id, id as first, '' as second
    from services where business_id = ${businessId} and id > ${after?.[0] ?? ""}
    order by id limit ${limit}`,
  checks: [
    {
      // One finding for each service, because a page may have many ranges that differ.
      name: "occupied_ranges",
      violations: () => sql`select service_id as record,
          count(*) || ' ranges from ' || min(starts_at) || ', participants: ' || sum(claimed) as expected,
          count(*) || ' ranges from ' || min(starts_at) || ', participants: ' || sum(stored) as found
        from (select service_id, starts_at, sum(claimed) as claimed, sum(stored) as stored from (
            select ${columns("claim")}, claim.participants as claimed, 0 as stored
            from page as service join slot_claims as claim
              on claim.business_id = service.business_id and claim.service_id = service.id
            union all
            select ${columns("occupied")}, 0, occupied.participants
            from page as service join occupied_ranges as occupied
              on occupied.business_id = service.business_id and occupied.service_id = service.id)
          group by service_id, location_id, starts_at, occupied_until, expires_at
          having sum(claimed) <> sum(stored))
        group by service_id`,
    },
  ],
};
