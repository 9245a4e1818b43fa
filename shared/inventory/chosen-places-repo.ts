import { type SQL, sql } from "drizzle-orm";

/** Pieces that an order wants of an item, and how many of them come from its own location or not at all. */
export type WantedPieces = Readonly<{ itemId: string; quantity: number; tied: number }>;

type Asked = Readonly<{
  businessId: string;
  /** Where stock is sold from. */
  locationIds: readonly string[];
  /** The order's own location. */
  preferredLocationId: string;
}>;

/**
 * A query of item_id, location_id and quantity: where pieces come from at the instant at which its
 * batch runs, by the rule of `planReservation`. An item of which there are too few has rows without a
 * quantity, or without a location where there are none: what they are inserted into refuses them.
 */
export function chosenPlaces(wanted: readonly WantedPieces[], asked: Asked): SQL {
  const { businessId, locationIds, preferredLocationId } = asked;
  const available = sql`(level.quantity_on_hand - level.quantity_reserved)`;
  const byPreference = sql`order by place.location_id = ${preferredLocationId} desc,
    place.available desc, place.location_id`;
  return sql`
    select taken.item_id, taken.location_id,
      case when taken.here >= taken.tied and taken.everywhere >= taken.wanted then taken.pieces end as quantity
    from (
      select place.*,
        min(place.available, place.wanted - coalesce(sum(place.available) over (
          partition by place.item_id ${byPreference}
          rows between unbounded preceding and 1 preceding), 0)) as pieces,
        sum(place.available) over (partition by place.item_id) as everywhere,
        sum(iif(place.location_id = ${preferredLocationId}, place.available, 0))
          over (partition by place.item_id) as here
      from (
        select one.value ->> '$.itemId' as item_id, one.value ->> '$.quantity' as wanted,
          one.value ->> '$.tied' as tied, level.location_id, coalesce(${available}, 0) as available
        from json_each(${JSON.stringify(wanted)}) as one
        left join stock_levels as level on level.business_id = ${businessId}
          and level.item_id = one.value ->> '$.itemId' and ${available} > 0
          and +level.location_id in (select value from json_each(${JSON.stringify(locationIds)}))
      ) as place
    ) as taken
    where taken.pieces > 0 or taken.location_id is null`;
}

/** Whether a batch failed because there were too few pieces where it may take them from. */
export const isShort = (message: string): boolean =>
  /stock_reservations\.(quantity|location_id)|stock_reservations_level|stock_not_oversold/.test(
    message,
  );
