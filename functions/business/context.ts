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
import type { Actor, Runtime } from "../../shared/kernel/index.ts";
import type { MoveContext } from "../../shared/moves/index.ts";
import {
  createContext,
  createContextFor,
  idempotencyMarkFor,
  merchantActor,
  type RequestContext,
} from "../http/context.ts";
import { runtime } from "../runtime/runtime.ts";

/** CORE, with the mark of the request's Idempotency-Key. */
export const openCore = (c: RequestContext): Db =>
  openDb(c.env.CORE, c.get("meter"), null, idempotencyMarkFor(c, "core"));

/** The context of a merchant's use cases. The API key or the member is recorded as the actor. */
export const createMerchantContext = (c: RequestContext): MerchantContext => ({
  ...createContext(c, merchantActor(c)),
  core: openCore(c),
});

/**
 * Like `createMerchantContext`, for requests that name locations. A location may be newer than the
 * cached business. If the cached business lacks a named location, the business is read again.
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
 * Adds archived locations that the request names to the business. Otherwise a record that refers to
 * an archived location could not be updated. Queries CORE only for locations that are not active.
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

/** The context of the operator's use cases, which are not limited to one business. */
export const createOperatorContext = (c: RequestContext): CreateBusinessContext => ({
  ...runtime,
  core: openCore(c),
  shards: Object.keys(shardsOf(c.env, c.get("settings").shopShards)),
  contextFor: (business) => createContextFor(c, { business, actor: operatorActor(c) }),
});

const operatorActor = (c: RequestContext): Actor => ({
  type: "operator",
  userId: c.get("consoleSession")?.user.id ?? null,
});

/**
 * The context of a call that the merchant or the operator makes about one business.
 *
 * @throws Refusal NOT_FOUND when the operator names an unknown business.
 */
export async function createMerchantOrOperatorContext(
  c: RequestContext,
  businessId: string,
): Promise<MerchantContext> {
  return c.get("isOperator") ? createOperatorContextOf(c, businessId) : createMerchantContext(c);
}

/** The operator's context of one business. @throws Refusal NOT_FOUND. */
export async function createOperatorContextOf(
  c: RequestContext,
  businessId: string,
): Promise<MerchantContext> {
  const { core, contextFor } = createOperatorContext(c);
  return { ...contextFor(await businessRepo(core).get(businessId)), core };
}

export type OpenShard = Readonly<{ shard: string; db: Db }>;

/** The databases of all shards, for the operator's overview. */
export function openShards(c: RequestContext): OpenShard[] {
  const shards = shardsOf(c.env, c.get("settings").shopShards);
  return Object.keys(shards).map((shard) => {
    return { shard, db: openDb(shopOf(shards, { shard }), c.get("meter")) };
  });
}

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
