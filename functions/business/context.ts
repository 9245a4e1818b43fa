import {
  type Business,
  businessRepo,
  isLocationOf,
  locationRepo,
  type MerchantContext,
  type OperatorContext,
} from "../../shared/businesses/index.ts";
import type { merchantCatalogue } from "../../shared/catalogue/index.ts";
import { type Db, openDb, shardsOf, shopOf } from "../../shared/database/index.ts";
import type { Runtime } from "../../shared/kernel/index.ts";
import type { MoveContext } from "../../shared/moves/index.ts";
import {
  createContext,
  createContextFor,
  idempotencyMarkFor,
  type RequestContext,
  requireKey,
} from "../http/context.ts";
import { runtime } from "../runtime/runtime.ts";

const openCore = (c: RequestContext): Db =>
  openDb(c.env.CORE, c.get("meter"), null, idempotencyMarkFor(c, "core"));

/** The context of a merchant's use cases; the request's API key is the actor. */
export const createMerchantContext = (c: RequestContext): MerchantContext => ({
  ...createContext(c, { type: "merchant", keyId: requireKey(c).key.id }),
  core: openCore(c),
});

/**
 * As `createMerchantContext`, for requests that name locations. It reads the business again if the
 * isolate's cached business lacks one, because the merchant may have just added it.
 */
export async function createContextForLocations(
  c: RequestContext,
  locationIds: readonly string[],
): Promise<MerchantContext> {
  const ctx = createMerchantContext(c);
  if (locationIds.every((id) => isLocationOf(ctx.business, id))) return ctx;
  return { ...ctx, business: await businessRepo(ctx.core).get(ctx.business.id) };
}

/**
 * Adds the named locations that are archived to the business, so that a record that already names them
 * can be updated. Takes a round trip only if an unknown location is named.
 */
export async function addArchivedLocations(
  { core, business }: MerchantContext,
  locationIds: readonly string[],
): Promise<Business & merchantCatalogue.ArchivedLocations> {
  const unknownIds = locationIds.filter((id) => !isLocationOf(business, id));
  if (unknownIds.length === 0) return business;
  const archived = await locationRepo(core, business.id).findArchived(unknownIds);
  return {
    ...business,
    locations: [...business.locations, ...archived],
    archivedLocationIds: archived.map(({ id }) => id),
  };
}

type CreateBusinessContext = OperatorContext &
  Runtime & {
    /** The shards that take new businesses. */
    shards: readonly string[];
  };

/** The context of the operator's use cases, which belong to no business. */
export const createOperatorContext = (c: RequestContext): CreateBusinessContext => ({
  ...runtime,
  core: openCore(c),
  shards: Object.keys(shardsOf(c.env, c.get("settings").shopShards)),
  contextFor: (business) => createContextFor(c, { business, actor: { type: "operator" } }),
});

/** The context of moving a business between shards. */
export function createMoveContext(c: RequestContext): MoveContext {
  const shards = shardsOf(c.env, c.get("settings").shopShards);
  return {
    ...runtime,
    core: openCore(c),
    shards: Object.keys(shards),
    dbFor: (shard) => openDb(shopOf(shards, { shard }), c.get("meter")),
  };
}
