import { and, eq, sql } from "drizzle-orm";
import { type Context, type Db, unfenced, type Write } from "../../database/index.ts";
import { holdMs, type Place } from "../slots/place.ts";
import { slotClaims } from "../tables.ts";
import { claimRepo } from "./claim-repo.ts";

const t = slotClaims;

/** The places that lines in carts keep for a while; which of them may be, the table's triggers say. */
export function holdRepo(ctx: Pick<Context, "db" | "business">) {
  const { db, business } = ctx;
  // The unary plus keeps indexes out that lead to all claims of the business.
  const heldAs = (ids: readonly string[]) =>
    and(
      sql`${t.id} in (select value from json_each(${JSON.stringify(ids)}))`,
      sql`+${t.businessId} = ${business.id}`,
      eq(t.kind, "hold"),
    );

  return {
    /** Holds a place from now on; again under its id, it is the same hold, renewed. Fails, and answers, as `claim`. */
    hold: (id: string, { sessionId, place, at }: { sessionId: string; place: Place; at: number }) =>
      claimRepo(ctx).claim({
        id,
        place,
        holder: { kind: "hold", sessionId, expiresAt: at + holdMs },
        at,
      }),

    /** Gives some of a live hold's places back; one that has ended stays as it is. */
    lower: (id: string, { participants, now }: { participants: number; now: number }): Write =>
      db
        .update(t)
        .set({ participants })
        .where(
          and(heldAs([id]), sql`${t.expiresAt} > ${now} and ${t.participants} > ${participants}`),
        ),

    release: (ids: readonly string[]): Write => db.delete(t).where(heldAs(ids)),
  };
}

const purgedAtOnce = 500;

/** Deletes holds of a whole shard that have ended: they were in nobody's way any more. */
export const purgeHolds = (db: Db, now: number): Write =>
  db.delete(t).where(
    sql`${t.id} in (select ended.id from slot_claims as ended
        where ended.expires_at is not null and ended.expires_at <= ${now}
          and ${unfenced(sql`ended.business_id`)}
        order by ended.expires_at limit ${purgedAtOnce})`,
  );
