import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Context, Write } from "../../database/index.ts";
import type { Place } from "../slots/place.ts";
import { slotClaims } from "../tables.ts";
import { longestClaim } from "./claim.ts";

const t = slotClaims;

/** Whose a claim is: a cart line's for a while, or a booking's. */
type Holder = Pick<
  typeof slotClaims.$inferInsert,
  "kind" | "expiresAt" | "sessionId" | "orderId" | "orderLineId"
>;

type Claim = Readonly<{ id: string; place: Place; holder: Holder; at: number }>;

/** A place that a booking takes over from a hold. */
type Kept = Readonly<{
  id: string;
  holdId: string;
  orderId: string;
  orderLineId: string;
  place: Place;
}>;

/**
 * Claims of places. Who gives what is claimed is chosen by the statement that claims it, so that no
 * other can come between; where nobody is free it claims nothing.
 */
export function claimRepo({ db, business }: Pick<Context, "db" | "business">) {
  /** Of those who may, one in no other session then: whoever the claim has, else the one with the fewest participants, in the given order. */
  const whoIsFree = (id: string, { staffIds, ...place }: Place, at: number): SQL => {
    const { serviceId, locationId, startsAt, occupiedUntil } = place;
    const ofMember = sql`other.business_id = ${business.id} and other.staff_id = member.value and other.id <> ${id}
      and (other.expires_at is null or other.expires_at > ${at})`;
    const isSession = sql`(other.service_id, other.location_id, other.starts_at) = (${serviceId}, ${locationId}, ${startsAt})`;
    return sql`(select free.id from (
        select member.value as id, member.key as position,
          (select coalesce(sum(other.participants), 0) from slot_claims as other
            where ${ofMember} and ${isSession}) as shared
        from json_each(${JSON.stringify(staffIds ?? [])}) as member
        where not exists (select 1 from slot_claims as other
          where ${ofMember} and other.starts_at > ${startsAt - longestClaim}
            and other.starts_at < ${occupiedUntil} and other.occupied_until > ${startsAt}
            and not ${isSession})) as free
      order by free.id = (select mine.staff_id from slot_claims as mine where mine.id = ${id}) desc,
        free.shared, free.position limit 1)`;
  };

  const times = ({ startsAt, endsAt, occupiedUntil }: Place) => ({
    startsAt,
    endsAt,
    occupiedUntil,
  });

  const inserted = ({ id, place, holder, at }: Claim) =>
    db.insert(t).select(
      sql`select ${id}, ${business.id}, ${holder.kind}, ${place.serviceId}, ${place.locationId}, giver.id,
          ${JSON.stringify(place.resourceIds)}, ${place.participants}, ${place.capacity},
          ${place.startsAt}, ${place.endsAt}, ${place.occupiedUntil}, ${at}, ${holder.expiresAt ?? null},
          ${holder.sessionId ?? null}, ${holder.orderId ?? null}, ${holder.orderLineId ?? null}
        from (select ${whoIsFree(id, place, at)} as id) as giver
        where ${place.staffIds === null ? 1 : 0} or giver.id is not null`,
    );

  return {
    /** Fails as `placeTaken` knows when there is no room; answers with who gives it, and with no row where nobody can. */
    claim: (claim: Claim) =>
      inserted(claim)
        .onConflictDoUpdate({ target: t.id, set: asInserted })
        .returning({ staffId: t.staffId }),

    /** The same for what `keep` did not find held. */
    claimUnlessKept: (claim: Claim): Write => inserted(claim).onConflictDoNothing({ target: t.id }),

    /**
     * Makes live holds their bookings' claims, as they stand, under the bookings' ids: what is held is
     * not asked for again. A hold that is less than its place, or of somebody who cannot give it, stays a hold.
     * (The unary plus keeps indexes out that lead to all claims of the business.)
     */
    keep: (kept: readonly Kept[], at: number): Write =>
      db
        .update(t)
        .set({
          id: sql`kept.value ->> 'id'`,
          kind: "booking",
          orderId: sql`kept.value ->> 'orderId'`,
          orderLineId: sql`kept.value ->> 'orderLineId'`,
          sessionId: null,
          participants: sql`kept.value ->> 'participants'`,
          capacity: sql`kept.value ->> 'capacity'`,
          claimedAt: at,
          expiresAt: null,
        })
        .from(sql`json_each(${JSON.stringify(kept.map(keptValues))}) as kept`)
        .where(
          sql`${t.id} = kept.value ->> 'holdId' and +${t.businessId} = ${business.id}
            and ${t.kind} = 'hold' and +${t.expiresAt} > ${at}
            and ${t.serviceId} = kept.value ->> 'serviceId' and ${t.locationId} = kept.value ->> 'locationId'
            and ${t.startsAt} = kept.value ->> 'startsAt' and ${t.endsAt} = kept.value ->> 'endsAt'
            and ${t.occupiedUntil} = kept.value ->> 'occupiedUntil'
            and ${t.participants} >= kept.value ->> 'participants' and ${t.capacity} <= kept.value ->> 'capacity'
            and ${t.resourceIds} = kept.value ->> 'resourceIds'
            and case when kept.value ->> 'staffIds' is null then ${t.staffId} is null
              else ${t.staffId} in (select value from json_each(kept.value -> 'staffIds')) end`,
        ),

    /** Takes another place instead. Without anybody who is free it names nobody. */
    move: (id: string, { place, at }: Pick<Claim, "place" | "at">) =>
      db
        .update(t)
        .set({
          ...times(place),
          staffId: whoIsFree(id, place, at),
          resourceIds: place.resourceIds,
          capacity: place.capacity,
          claimedAt: at,
        })
        .where(and(eq(t.id, id), eq(t.businessId, business.id))),
  };
}

const keptValues = ({ place, ...ids }: Kept) => ({
  ...ids,
  ...place,
  resourceIds: JSON.stringify(place.resourceIds), // as the column has them
});

/** What a claim that is made again under its id becomes. */
const asInserted = {
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
