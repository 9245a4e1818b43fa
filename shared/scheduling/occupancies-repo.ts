import { type Context, reading, type Write } from "../database/index.ts";
import type { Occupancy } from "./occupancy.ts";
import { type ClaimedWithin, occupancyQueries } from "./occupancy-repo.ts";
import type { SlotOffer } from "./slot.ts";

/** `findOccupancy` of several offers, in one round trip however many; in their order. */
export async function findOccupancies(
  scope: Pick<Context, "db" | "business">,
  asked: readonly Readonly<{ offer: SlotOffer; within: ClaimedWithin }>[],
): Promise<Occupancy[]> {
  const readings = asked.map(({ offer, within }) =>
    reading(occupancyQueries(scope, offer, within), ([service, staff, resources]) => ({
      service,
      staff,
      resources,
    })),
  );
  const [first, ...rest]: Write[] = readings.flatMap(({ queries }) => queries);
  if (!first) return [];
  const results: unknown[] = [...(await scope.db.batch([first, ...rest]))];
  return readings.map(({ queries, show }) => show(results.splice(0, queries.length)));
}
