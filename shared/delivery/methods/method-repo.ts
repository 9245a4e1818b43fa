import { and, asc, eq, gt, isNull, type SQL, sql } from "drizzle-orm";
import { type Context, updatedAtUnlessChanged, type Write } from "../../database/index.ts";
import { notFound } from "../../kernel/index.ts";
import { deliveryMethods, deliveryZones } from "../tables.ts";
import type { DeliveryMethod } from "./delivery-method.ts";

/** A method with the fields by which concurrent changes are detected. */
export type MethodRecord = Readonly<{
  method: DeliveryMethod;
  updatedAt: number;
  archivedAt: number | null;
}>;

type MethodRow = typeof deliveryMethods.$inferSelect;

/** The delivery methods of one business; each read is one round trip. */
export function methodRepo({ db, business }: Pick<Context, "db" | "business">) {
  const isOwned = eq(deliveryMethods.businessId, business.id);
  const isLive = and(isOwned, isNull(deliveryMethods.archivedAt));

  /** The zone's id, or null for an unknown or archived zone, which fails on `zone_id`. */
  const liveZoneId = (zoneId: string): SQL<string> =>
    sql`(select ${deliveryZones.id} from ${deliveryZones} where ${deliveryZones.id} = ${zoneId}
      and +${deliveryZones.businessId} = ${business.id} and ${deliveryZones.archivedAt} is null)`;

  async function requireOne(condition: SQL | undefined): Promise<MethodRecord> {
    const [row] = await db.select().from(deliveryMethods).where(condition);
    if (!row) throw notFound("delivery method");
    return toMethodRecord(row);
  }

  return {
    get: (id: string) => requireOne(and(isLive, eq(deliveryMethods.id, id))),

    getEvenArchived: (id: string) => requireOne(and(isOwned, eq(deliveryMethods.id, id))),

    /** Whether a shopper can choose the method for some cart and address. */
    async isActive(id: string): Promise<boolean> {
      const [row] = await db
        .select({ id: deliveryMethods.id })
        .from(deliveryMethods)
        .where(and(isLive, eq(deliveryMethods.id, id), eq(deliveryMethods.isActive, true)));
      return row !== undefined;
    },

    /** Lists methods, oldest first. `after` is the last id of the previous page. */
    async list({
      limit,
      after,
    }: {
      limit: number;
      after: string | null;
    }): Promise<DeliveryMethod[]> {
      const rows = await db
        .select()
        .from(deliveryMethods)
        .where(and(isLive, after === null ? undefined : gt(deliveryMethods.id, after)))
        .orderBy(asc(deliveryMethods.id))
        .limit(limit);
      return rows.map(toMethod);
    },

    /** Fails on `delivery_methods.zone_id` for an unknown zone. */
    insert: (method: DeliveryMethod, now: number): Write =>
      db.insert(deliveryMethods).values({
        ...method,
        zoneId: liveZoneId(method.zoneId),
        businessId: business.id,
        createdAt: now,
        updatedAt: now,
      }),

    /**
     * Fails on `delivery_methods.updated_at` when the row has changed since it was read, and on
     * `delivery_methods.zone_id` when it moves to an unknown zone.
     */
    update: (
      before: MethodRecord,
      { id, zoneId, ...fields }: DeliveryMethod,
      updatedAt: number,
    ): Write =>
      db
        .update(deliveryMethods)
        .set({
          ...fields,
          zoneId: zoneId === before.method.zoneId ? zoneId : liveZoneId(zoneId),
          updatedAt: updatedAtUnlessChanged(deliveryMethods, before, { updatedAt }),
        })
        .where(and(isOwned, eq(deliveryMethods.id, id))),

    archive: (before: MethodRecord, archivedAt: number): Write =>
      db
        .update(deliveryMethods)
        .set({
          archivedAt,
          updatedAt: updatedAtUnlessChanged(deliveryMethods, before, { updatedAt: archivedAt }),
        })
        .where(and(isOwned, eq(deliveryMethods.id, before.method.id))),
  };
}

export type MethodRepo = typeof methodRepo;

export function toMethod(row: MethodRow): DeliveryMethod {
  const { businessId: _, createdAt: __, updatedAt: ___, archivedAt: ____, ...method } = row;
  return method;
}

const toMethodRecord = (row: MethodRow): MethodRecord => ({
  method: toMethod(row),
  updatedAt: row.updatedAt,
  archivedAt: row.archivedAt,
});
