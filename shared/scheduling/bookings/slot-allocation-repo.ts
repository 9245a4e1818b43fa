import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Context, Write } from "../../database/index.ts";
import { maxSlotAllocationMs, type SlotAllocation } from "../slots/slot-allocation.ts";
import { slotClaims } from "../tables.ts";

const t = slotClaims;

/** The columns that tell a hold of a session from a booking of an order line. */
type AllocationHolder = Pick<
  typeof slotClaims.$inferInsert,
  "kind" | "expiresAt" | "sessionId" | "orderId" | "orderLineId"
>;

type NewSlotAllocation = Readonly<{
  id: string;
  allocation: SlotAllocation;
  holder: AllocationHolder;
  at: number;
}>;

/** A booking whose slot may be held by its cart line. */
type HeldBooking = Readonly<{
  id: string;
  holdId: string;
  orderId: string;
  orderLineId: string;
  allocation: SlotAllocation;
}>;

/**
 * Writes slot allocations. The writing statement itself selects the staff member, so that no other
 * write can come between selection and allocation; it writes no row when no staff member is free.
 */
export function slotAllocationRepo({ db, business }: Pick<Context, "db" | "business">) {
  /**
   * The id of a staff member among the candidates who has no other session in that time. Prefers the
   * one already assigned, then the one with the fewest participants, then the order of candidates.
   */
  const freeStaffId = (
    id: string,
    { staffIds, ...allocation }: SlotAllocation,
    at: number,
  ): SQL => {
    const { serviceId, locationId, startsAt, occupiedUntil } = allocation;
    const isLiveOfMember = sql`other.business_id = ${business.id} and other.staff_id = member.value and other.id <> ${id}
      and (other.expires_at is null or other.expires_at > ${at})`;
    const isSameSession = sql`(other.service_id, other.location_id, other.starts_at) = (${serviceId}, ${locationId}, ${startsAt})`;
    return sql`(select free.id from (
        select member.value as id, member.key as position,
          (select coalesce(sum(other.participants), 0) from slot_claims as other
            where ${isLiveOfMember} and ${isSameSession}) as shared
        from json_each(${JSON.stringify(staffIds ?? [])}) as member
        where not exists (select 1 from slot_claims as other
          where ${isLiveOfMember} and other.starts_at > ${startsAt - maxSlotAllocationMs}
            and other.starts_at < ${occupiedUntil} and other.occupied_until > ${startsAt}
            and not ${isSameSession})) as free
      order by free.id = (select mine.staff_id from slot_claims as mine where mine.id = ${id}) desc,
        free.shared, free.position limit 1)`;
  };

  const insertQuery = ({ id, allocation, holder, at }: NewSlotAllocation) =>
    db.insert(t).select(
      sql`select ${id}, ${business.id}, ${holder.kind}, ${allocation.serviceId}, ${allocation.locationId}, assigned.id,
          ${JSON.stringify(allocation.resourceIds)}, ${allocation.participants}, ${allocation.capacity},
          ${allocation.startsAt}, ${allocation.endsAt}, ${allocation.occupiedUntil}, ${at}, ${holder.expiresAt ?? null},
          ${holder.sessionId ?? null}, ${holder.orderId ?? null}, ${holder.orderLineId ?? null}
        from (select ${freeStaffId(id, allocation, at)} as id) as assigned
        where ${allocation.staffIds === null ? 1 : 0} or assigned.id is not null`,
    );

  return {
    /**
     * Inserts or replaces an allocation and returns its staff member. Returns no row when no staff
     * member is free, and fails as in `slotConflictRefusals` when there is no capacity.
     */
    allocate: (input: NewSlotAllocation) =>
      insertQuery(input)
        .onConflictDoUpdate({ target: t.id, set: columnsToReplace })
        .returning({ staffId: t.staffId }),

    /** As `allocate`, but leaves an allocation that exists unchanged. */
    allocateIfAbsent: (input: NewSlotAllocation): Write =>
      insertQuery(input).onConflictDoNothing({ target: t.id }),

    /**
     * Converts unexpired holds into booking allocations. Capacity is not checked again, because the
     * hold already reserved it. Holds with too few participants or an ineligible staff member stay,
     * and the caller must release them.
     */
    convertHolds: (heldBookings: readonly HeldBooking[], at: number): Write =>
      db
        .update(t)
        .set({
          id: sql`held.value ->> 'id'`,
          kind: "booking",
          orderId: sql`held.value ->> 'orderId'`,
          orderLineId: sql`held.value ->> 'orderLineId'`,
          sessionId: null,
          participants: sql`held.value ->> 'participants'`,
          capacity: sql`held.value ->> 'capacity'`,
          claimedAt: at,
          expiresAt: null,
        })
        .from(sql`json_each(${JSON.stringify(heldBookings.map(toJsonRow))}) as held`)
        .where(
          // The unary plus keeps SQLite from using an index that covers the whole business.
          sql`${t.id} = held.value ->> 'holdId' and +${t.businessId} = ${business.id}
            and ${t.kind} = 'hold' and +${t.expiresAt} > ${at}
            and ${t.serviceId} = held.value ->> 'serviceId' and ${t.locationId} = held.value ->> 'locationId'
            and ${t.startsAt} = held.value ->> 'startsAt' and ${t.endsAt} = held.value ->> 'endsAt'
            and ${t.occupiedUntil} = held.value ->> 'occupiedUntil'
            and ${t.participants} >= held.value ->> 'participants' and ${t.capacity} <= held.value ->> 'capacity'
            and ${t.resourceIds} = held.value ->> 'resourceIds'
            and case when held.value ->> 'staffIds' is null then ${t.staffId} is null
              else ${t.staffId} in (select value from json_each(held.value -> 'staffIds')) end`,
        ),

    /** Moves an allocation to another time; its staff member becomes null when none is free. */
    reallocate: (id: string, { allocation, at }: Pick<NewSlotAllocation, "allocation" | "at">) =>
      db
        .update(t)
        .set({
          startsAt: allocation.startsAt,
          endsAt: allocation.endsAt,
          occupiedUntil: allocation.occupiedUntil,
          staffId: freeStaffId(id, allocation, at),
          resourceIds: allocation.resourceIds,
          capacity: allocation.capacity,
          claimedAt: at,
        })
        .where(and(eq(t.id, id), eq(t.businessId, business.id))),
  };
}

const toJsonRow = ({ allocation, ...ids }: HeldBooking) => ({
  ...ids,
  ...allocation,
  resourceIds: JSON.stringify(allocation.resourceIds), // as the column stores them
});

/** The columns that `allocate` replaces when the id exists. */
const columnsToReplace = {
  staffId: sql`excluded.staff_id`,
  resourceIds: sql`excluded.resource_ids`,
  participants: sql`excluded.participants`,
  capacity: sql`excluded.capacity`,
  startsAt: sql`excluded.starts_at`,
  endsAt: sql`excluded.ends_at`,
  occupiedUntil: sql`excluded.occupied_until`,
  claimedAt: sql`excluded.claimed_at`,
  expiresAt: sql`excluded.expires_at`,
};
