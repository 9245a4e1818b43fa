import {
  type Business,
  businessRepo,
  isLocationOf,
  locationRepo,
  type MerchantContext,
  type OperatorContext,
} from "../../shared/businesses/index.ts";
import type { NamedPlaces } from "../../shared/catalogue/index.ts";
import { type Db, openDb, shardsOf, shopOf } from "../../shared/database/index.ts";
import type { Runtime } from "../../shared/kernel/index.ts";
import type { MoveContext } from "../../shared/moves/index.ts";
import type { RequestContext } from "../http/api-env.ts";
import { contextIn, contextOf, keyed, sealIn } from "../http/context.ts";
import { chance } from "../runtime/runtime.ts";

const coreOf = (c: RequestContext): Db =>
  openDb(c.env.CORE, c.get("meter"), null, sealIn(c, "core"));

/** What the merchant's use cases run in: the key that asks is the actor. */
export const merchantContext = (c: RequestContext): MerchantContext => ({
  ...contextOf(c, { type: "merchant", keyId: keyed(c).key.id }),
  core: coreOf(c),
});

/**
 * As `merchantContext`, for a call that names locations. One that the isolate does not know may have been
 * added since it read the business, by this very merchant a moment ago: then it is read anew.
 */
export async function contextNaming(
  c: RequestContext,
  locationIds: readonly string[],
): Promise<MerchantContext> {
  const ctx = merchantContext(c);
  if (locationIds.every((id) => isLocationOf(ctx.business, id))) return ctx;
  return { ...ctx, business: await businessRepo(ctx.core).get(ctx.business.id) };
}

/**
 * The business with, beside its locations, those of the named that it has archived: a record that
 * names one is written again as it was read (`archivedLocationIds`: and no other). Costs a round trip
 * where one is named, and none else.
 */
export async function withArchivedLocations(
  { core, business }: MerchantContext,
  locationIds: readonly string[],
): Promise<Business & NamedPlaces> {
  const others = locationIds.filter((id) => !isLocationOf(business, id));
  if (others.length === 0) return business;
  const archived = await locationRepo(core, business.id).archivedAmong(others);
  return {
    ...business,
    locations: [...business.locations, ...archived],
    archivedLocationIds: archived.map(({ id }) => id),
  };
}

type NewBusinessContext = OperatorContext &
  Runtime & {
    /** Every shop database that takes new businesses. */
    shards: readonly string[];
  };

/** What the operator's use cases run in: all of CORE, and no business yet. */
export const operatorContext = (c: RequestContext): NewBusinessContext => ({
  ...chance,
  core: coreOf(c),
  shards: Object.keys(shardsOf(c.env, c.get("settings").shopShards)),
  contextIn: (business) => contextIn(c, { business, actor: { type: "operator" } }),
});

/** What moves a business between the shop databases. */
export function moveContext(c: RequestContext): MoveContext {
  const shards = shardsOf(c.env, c.get("settings").shopShards);
  return {
    ...chance,
    core: coreOf(c),
    shards: Object.keys(shards),
    dbIn: (shard) => openDb(shopOf(shards, { shard }), c.get("meter")),
  };
}
