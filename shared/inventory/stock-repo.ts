import { and, asc, eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { nameOf, type Write } from "../database/index.ts";
import { chosenPlaces, type WantedPieces } from "./chosen-places-repo.ts";
import type { StockContext } from "./context.ts";
import { levelColumns } from "./level-repo.ts";
import { lowStockRepo, placesIn } from "./low-stock-repo.ts";
import type { Reservation } from "./reservation.ts";
import type { StockLevel } from "./stock-level.ts";
import { stockLevels, stockMovements, stockReservations } from "./tables.ts";

export type StockFilter = Readonly<{
  /** True: below the threshold; false: the contrary. */
  isLow?: boolean | undefined;
  locationId?: string | undefined;
  productId?: string | undefined;
}>;

/** What stands after a level in the list's order. */
export type StockCursor = Readonly<{ itemId: string; locationId: string }>;

/** For a page of what is low, or is not. */
const levelsLookedAt = 1_000;

type Step = "reserve" | "release" | "fulfil";

/** A business's stock. The schema keeps it right: a batch that would oversell fails whole. */
export function stockRepo(ctx: StockContext) {
  const { db, business } = ctx;
  const own = eq(stockLevels.businessId, business.id);
  const among = (itemIds: readonly string[]) =>
    sql`${stockLevels.itemId} in (select value from json_each(${JSON.stringify(itemIds)}))`;
  const atStandingLocation = sql`+${stockLevels.locationId} in
    (select value from json_each(${JSON.stringify(business.locations.map(({ id }) => id))}))`;
  const heldBy = (orderId: string) =>
    and(eq(stockReservations.orderId, orderId), eq(stockReservations.businessId, business.id));
  const placesHeldBy = (orderId: string) =>
    sql`select ${stockReservations.itemId}, ${stockReservations.locationId} from ${stockReservations} where ${heldBy(orderId)}`;

  /** Adds so many times what the order holds to the quantities of its levels. */
  function move(
    orderId: string,
    { onHand, reserved }: { onHand: 0 | -1; reserved: 1 | -1 },
  ): Write {
    const held = sql`(select ${stockReservations.quantity} from ${stockReservations}
      where ${heldBy(orderId)} and ${stockReservations.itemId} = ${stockLevels.itemId}
        and ${stockReservations.locationId} = ${stockLevels.locationId})`;
    return db
      .update(stockLevels)
      .set({
        quantityOnHand: sql`${stockLevels.quantityOnHand} + ${onHand} * ${held}`,
        quantityReserved: sql`${stockLevels.quantityReserved} + ${reserved} * ${held}`,
        updatedAt: ctx.now(),
      })
      .where(
        and(
          own,
          sql`(${stockLevels.itemId}, ${stockLevels.locationId}) in (${placesHeldBy(orderId)})`,
        ),
      );
  }

  /** The ledger's rows for what the order holds; their ids make a second one of a step impossible. */
  const record = (
    orderId: string,
    step: Step,
    { onHand, reserved }: { onHand: 0 | -1; reserved: 1 | -1 },
  ): Write =>
    db.insert(stockMovements).select(
      sql`select ${`${orderId}:${step}:`} || ${stockReservations.itemId} || ':' || ${stockReservations.locationId},
        ${business.id}, ${stockReservations.itemId}, ${stockReservations.locationId},
        ${onHand} * ${stockReservations.quantity}, ${reserved} * ${stockReservations.quantity},
        ${step}, ${orderId}, ${nameOf(ctx.actor)}, ${ctx.now()}
        from ${stockReservations} where ${heldBy(orderId)}`,
    );

  const drop = (orderId: string): Write => db.delete(stockReservations).where(heldBy(orderId));

  function release(orderId: string): Write[] {
    const sign = { onHand: 0, reserved: -1 } as const;
    return [
      record(orderId, "release", sign),
      move(orderId, sign),
      lowStockRepo(ctx).remember(placesHeldBy(orderId)),
      drop(orderId),
    ];
  }

  /** What the reservations of an order, just written, mean for its levels and the ledger. */
  function takenBy(orderId: string, places: SQL): Write[] {
    const sign = { onHand: 0, reserved: 1 } as const;
    return [
      move(orderId, sign),
      record(orderId, "reserve", sign),
      ...lowStockRepo(ctx).tellAndRemember(places),
    ];
  }

  /**
   * Holds pieces for an order. Its batch fails on `stock_not_oversold` when there are too few, on
   * `stock_reservations_level` where none ever were, and on the reservation's key when the order holds
   * some already.
   */
  function reserve(orderId: string, reservations: readonly Reservation[]): Write[] {
    if (reservations.length === 0) return [];
    const insert = db.insert(stockReservations).select(
      sql`select ${orderId}, ${business.id}, value ->> '$.itemId', value ->> '$.locationId', value ->> '$.quantity'
        from json_each(${JSON.stringify(reservations)})`,
    );
    return [insert, ...takenBy(orderId, placesIn(reservations))];
  }

  const levels = (condition: SQL | undefined) =>
    db.select(levelColumns).from(stockLevels).where(and(own, condition));

  /** What a level has reserved, but for what these orders hold of it. */
  const reservedBut = (orderIds: readonly string[]) =>
    sql<number>`quantity_reserved - coalesce((select sum(held.quantity) from stock_reservations as held
      where held.order_id in (select value from json_each(${JSON.stringify(orderIds)}))
        and held.business_id = stock_levels.business_id and held.item_id = stock_levels.item_id
        and held.location_id = stock_levels.location_id), 0)`;

  return {
    /**
     * Where these items can be sold from: what is left at an archived location cannot.
     *
     * @param givenBack orders whose pieces count as free.
     */
    async findLevels(
      itemIds: readonly string[],
      givenBack: readonly string[] = [],
    ): Promise<StockLevel[]> {
      const where = and(own, among(itemIds), atStandingLocation);
      if (givenBack.length === 0) return levels(where);
      const columns = { ...levelColumns, quantityReserved: reservedBut(givenBack) };
      return db.select(columns).from(stockLevels).where(where);
    },

    /**
     * By item, then by location; what is left of archived products and variants is not listed. What is
     * low depends on a setting, which no index knows: such a page looks at so many levels and then
     * ends, full or not. `lookedTo` is where; null at the list's end.
     */
    async list(
      { isLow, locationId, productId }: StockFilter,
      { limit, after }: { limit: number; after: StockCursor | null },
    ): Promise<Readonly<{ levels: readonly StockLevel[]; lookedTo: StockCursor | null }>> {
      // A product has fewer levels than a location: the unary plus leaves that index to the others.
      const atPlace =
        productId === undefined ? sql`${stockLevels.locationId}` : sql`+${stockLevels.locationId}`;
      const inOrder = (condition?: SQL) =>
        levels(
          and(
            condition,
            locationId === undefined ? undefined : sql`${atPlace} = ${locationId}`,
            productId === undefined ? undefined : eq(stockLevels.productId, productId),
            after === null
              ? undefined
              : sql`(${stockLevels.itemId}, ${stockLevels.locationId}) > (${after.itemId}, ${after.locationId})`,
          ),
        ).orderBy(asc(stockLevels.itemId), asc(stockLevels.locationId));
      if (isLow === undefined) {
        return { levels: await inOrder(isOfLiveItem(stockLevels)).limit(limit), lookedTo: null };
      }
      const looked = inOrder().limit(levelsLookedAt).as("looked");
      const low = sql`(${looked.quantityOnHand} - ${looked.quantityReserved}
        < coalesce(${looked.lowStockThreshold}, ${business.settings.lowStockThreshold}))`;
      const [found, [lookedTo]] = await db.batch([
        db
          .select()
          .from(looked)
          .where(and(isOfLiveItem(looked), sql`${low} = ${isLow ? 1 : 0}`))
          .orderBy(asc(looked.itemId), asc(looked.locationId))
          .limit(limit),
        inOrder()
          .limit(1)
          .offset(levelsLookedAt - 1),
      ]);
      return { levels: found, lookedTo: lookedTo ?? null };
    },

    reserve,

    /**
     * Holds pieces for an order wherever they are when its batch runs, by the rule of
     * `planReservation`: nobody can come between the choice and the hold. The batch fails as `isShort`
     * knows where there are too few.
     */
    reserveWherever(
      orderId: string,
      wanted: readonly WantedPieces[],
      preferredLocationId: string,
    ): Write[] {
      if (wanted.length === 0) return [];
      const locationIds = business.locations.map(({ id }) => id);
      if (locationIds.every((id) => id === preferredLocationId)) {
        return reserve(
          orderId,
          wanted.map((pieces) => ({ ...pieces, locationId: preferredLocationId })),
        );
      }
      const places = chosenPlaces(wanted, {
        businessId: business.id,
        locationIds,
        preferredLocationId,
      });
      const insert = db.insert(stockReservations).select(
        sql`select ${orderId}, ${business.id}, chosen.item_id, chosen.location_id, chosen.quantity
          from (${places}) as chosen`,
      );
      return [insert, ...takenBy(orderId, placesHeldBy(orderId))];
    },

    /** Gives back what the order holds; run twice, it gives back once. */
    release,

    /** The pieces have left the house; what is available stays as it was. */
    fulfil(orderId: string): Write[] {
      const sign = { onHand: -1, reserved: -1 } as const;
      return [record(orderId, "fulfil", sign), move(orderId, sign), drop(orderId)];
    },

    /**
     * Brings an order's pieces back: those it holds are free again, those that left the house are on
     * hand again. The ledger's key lets what left come back once.
     */
    restock(orderId: string): Write[] {
      const left = and(
        eq(stockMovements.orderId, orderId),
        eq(stockMovements.businessId, business.id),
        eq(stockMovements.reason, "fulfil"),
      );
      const pieces = sql`(select -${stockMovements.onHandDelta} from ${stockMovements}
        where ${left} and ${stockMovements.itemId} = ${stockLevels.itemId}
          and ${stockMovements.locationId} = ${stockLevels.locationId})`;
      const places = sql`select ${stockMovements.itemId}, ${stockMovements.locationId} from ${stockMovements} where ${left}`;
      return [
        ...release(orderId),
        db.insert(stockMovements).select(
          sql`select ${`${orderId}:restock:`} || ${stockMovements.itemId} || ':' || ${stockMovements.locationId},
            ${business.id}, ${stockMovements.itemId}, ${stockMovements.locationId},
            -${stockMovements.onHandDelta}, 0, 'restock', ${orderId}, ${nameOf(ctx.actor)}, ${ctx.now()}
            from ${stockMovements} where ${left}`,
        ),
        db
          .update(stockLevels)
          .set({
            quantityOnHand: sql`${stockLevels.quantityOnHand} + ${pieces}`,
            updatedAt: ctx.now(),
          })
          .where(and(own, sql`(${stockLevels.itemId}, ${stockLevels.locationId}) in (${places})`)),
        lowStockRepo(ctx).remember(places),
      ];
    },
  };
}

/** Products are the catalogue's: its tables are named here and nowhere else in this area. */
const isOfLiveItem = ({ productId, itemId }: Record<"productId" | "itemId", SQLWrapper>): SQL =>
  sql`not exists (
    select 1 from products as product
    where product.id = ${productId} and product.archived_at is not null)
  and not exists (
    select 1 from product_variants as variant
    where variant.id = ${itemId} and variant.archived_at is not null)`;
