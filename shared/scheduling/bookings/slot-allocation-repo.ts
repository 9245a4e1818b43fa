import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Context, Write } from "../../database/index.ts";
import { maxSlotAllocationMs, type SlotAllocation } from "../slots/slot-allocation.ts";
import { slotClaims } from "../tables.ts";

/** Who holds an allocation: the session of a cart line, or the order line of a booking. */
type AllocationHolder = Pick<
  typeof slotClaims.$inferInsert,
  "kind" | "expiresAt" | "sessionId" | "orderId" | "orderLineId" | "addressDigest"
>;

type NewSlotAllocation = Readonly<{
  id: string;
  allocation: SlotAllocation;
  holder: AllocationHolder;
  at: number;
  /** Undefined for a booking, which takes no new hold. */
  holdLimits?: HoldLimits;
}>;

/**
 * Conditions of a new hold. When one is false, a NOT NULL column is null, and the batch fails with a
 * constraint of `holdLimitRefusals`.
 */
type HoldLimits = Readonly<{ isWithinSession: SQL; isWithinAddress: SQL }>;

const valueIf = (condition: SQL | undefined, value: number): SQL =>
  condition === undefined ? sql`${value}` : sql`case when ${condition} then ${value} end`;

/** A booking, with the id of the hold that its cart line may have on the slot. */
type HeldBooking = Readonly<{
  id: string;
  holdId: string;
  orderId: string;
  orderLineId: string;
  allocation: SlotAllocation;
}>;

/**
 * Writes slot allocations. The same statement selects a free staff member and writes the row, so
 * that nobody can book the staff member in between. No row is written when no staff member is free.
 */
export function slotAllocationRepo({ db, business }: Pick<Context, "db" | "business">) {
  /**
   * SQL for the id of a candidate who has no other session at that time. Prefers the staff member
   * who is already assigned, then the one with the fewest participants, then the order of
   * candidates.
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

  const insertQuery = ({ id, allocation, holder, at, holdLimits }: NewSlotAllocation) =>
    db.insert(slotClaims).select(
      sql`select ${id}, ${business.id}, ${holder.kind}, ${allocation.serviceId}, ${allocation.locationId}, assigned.id,
          ${JSON.stringify(allocation.resourceIds)},
          ${valueIf(holdLimits?.isWithinAddress, allocation.participants)}, ${allocation.capacity},
          ${allocation.startsAt}, ${allocation.endsAt}, ${allocation.occupiedUntil},
          ${valueIf(holdLimits?.isWithinSession, at)}, ${holder.expiresAt ?? null},
          ${holder.sessionId ?? null}, ${holder.orderId ?? null}, ${holder.orderLineId ?? null},
          ${holder.addressDigest ?? null}
        from (select ${freeStaffId(id, allocation, at)} as id) as assigned
        where ${allocation.staffIds === null ? 1 : 0} or assigned.id is not null`,
    );

  return {
    /**
     * Inserts or replaces an allocation and returns its staff member. Returns no row when no staff
     * member is free. Without capacity the batch fails with a constraint of `slotConflictRefusals`.
     */
    allocate: (input: NewSlotAllocation) =>
      insertQuery(input)
        .onConflictDoUpdate({ target: slotClaims.id, set: columnsToReplace })
        .returning({ staffId: slotClaims.staffId }),

    /** Inserts an allocation like `allocate`, but does not change an existing one. */
    allocateIfAbsent: (input: NewSlotAllocation): Write =>
      insertQuery(input).onConflictDoNothing({ target: slotClaims.id }),

    /**
     * Turns holds that have not expired into allocations of bookings. Their capacity is reserved;
     * a trigger checks it again when the service's capacity was lowered meanwhile. Holds with too few
     * participants or an ineligible staff member are not changed, and the caller must release them.
     */
    convertHolds: (heldBookings: readonly HeldBooking[], at: number): Write =>
      db
        .update(slotClaims)
        .set({
          id: sql`held.value ->> 'id'`,
          kind: "booking",
          orderId: sql`held.value ->> 'orderId'`,
          orderLineId: sql`held.value ->> 'orderLineId'`,
          sessionId: null,
          addressDigest: null,
          participants: sql`held.value ->> 'participants'`,
          capacity: sql`held.value ->> 'capacity'`,
          claimedAt: at,
          expiresAt: null,
        })
        .from(sql`json_each(${JSON.stringify(heldBookings.map(toJsonRow))}) as held`)
        .where(
          // The unary plus keeps SQLite from scanning all allocations of the business by the index
          // on business_id.
          sql`${slotClaims.id} = held.value ->> 'holdId' and +${slotClaims.businessId} = ${business.id}
            and ${slotClaims.kind} = 'hold' and +${slotClaims.expiresAt} > ${at}
            and ${slotClaims.serviceId} = held.value ->> 'serviceId' and ${slotClaims.locationId} = held.value ->> 'locationId'
            and ${slotClaims.startsAt} = held.value ->> 'startsAt' and ${slotClaims.endsAt} = held.value ->> 'endsAt'
            and ${slotClaims.occupiedUntil} = held.value ->> 'occupiedUntil'
            and ${slotClaims.participants} >= held.value ->> 'participants'
            and ${slotClaims.resourceIds} = held.value ->> 'resourceIds'
            and case when held.value ->> 'staffIds' is null then ${slotClaims.staffId} is null
              else ${slotClaims.staffId} in (select value from json_each(held.value -> 'staffIds')) end`,
        ),

    /**
     * Moves an allocation to another time and selects a staff member for that time; null when none
     * is free.
     */
    reallocate: (id: string, { allocation, at }: Pick<NewSlotAllocation, "allocation" | "at">) =>
      db
        .update(slotClaims)
        .set({
          startsAt: allocation.startsAt,
          endsAt: allocation.endsAt,
          occupiedUntil: allocation.occupiedUntil,
          staffId: freeStaffId(id, allocation, at),
          resourceIds: allocation.resourceIds,
          capacity: allocation.capacity,
          claimedAt: at,
        })
        .where(and(eq(slotClaims.id, id), eq(slotClaims.businessId, business.id))),
  };
}

const toJsonRow = ({ allocation, ...ids }: HeldBooking) => ({
  ...ids,
  ...allocation,
  resourceIds: JSON.stringify(allocation.resourceIds), // The column contains this JSON text.
});

/** The columns that `allocate` replaces when an allocation with the id exists. */
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
  addressDigest: sql`excluded.address_digest`,
};
