import { env } from "cloudflare:workers";
import { vi } from "vitest";
import type { CreatedBusiness } from "../../../shared/businesses/index.ts";
import { createDeal } from "../../support/create-deal.ts";
import { measureD1Usage } from "../../support/d1-usage.ts";
import { selectRows } from "../../support/select-rows.ts";
import { type ApiResponse, createBusiness } from "../../support/world.ts";
import { createFuzzClientFor } from "../fuzz/create-fuzz-client.ts";
import type { FuzzedRequest } from "../fuzz/requests.ts";
import type { Operation } from "../operations.ts";
import { copyRecords } from "./copy-records.ts";

type MeasuredShop = Readonly<{
  shop: CreatedBusiness;
  ask: Awaited<ReturnType<typeof createFuzzClientFor>>;
}>;

/** A response and the rows that D1 read for it. */
export type MeasuredResponse = Readonly<{
  answer: ApiResponse;
  rows: number;
  /** Rows read by SQL statement. */
  rowsBySql: ReadonlyMap<string, number>;
}>;

/** The measurements of one request in the small and in the large shop. */
export type MeasuredResponses = Readonly<{ small: MeasuredResponse; large: MeasuredResponse }>;

/**
 * Creates two businesses with the same records, the large one with more copies of each. Each is on
 * its own shard, so that neither reads the other's rows. Each has a deal that applies to a cart
 * automatically.
 */
export async function createShopsOfTwoSizes(copies: { small: number; large: number }) {
  const [small, large] = await Promise.all([
    createMeasuredShop(copies.small, "SHOP_1"),
    createMeasuredShop(copies.large, "SHOP_2"),
  ]);

  async function forget(): Promise<void> {
    await Promise.all([small, large].map(({ shop }) => invalidateCatalogue(shop)));
    setClock(5_001);
  }

  return {
    /** Sends a request to each shop, in an isolate without cached keys and catalogues. */
    async ask(
      operation: Operation,
      requests: Readonly<{ small: FuzzedRequest; large: FuzzedRequest }>,
    ): Promise<MeasuredResponses> {
      await forget();
      return {
        small: await measureRequest(small, operation, requests.small),
        large: await measureRequest(large, operation, requests.large),
      };
    },
  };
}

let time = Date.parse("2031-01-15T12:00:00Z");

/** Holds the clock, after advancing it; isolates cache data for 5 s at most. */
export function setClock(further = 0): void {
  time += further;
  vi.useFakeTimers({ toFake: ["Date"], now: time });
}

async function createMeasuredShop(copies: number, shard: string): Promise<MeasuredShop> {
  const { business, keys } = await createBusiness();
  await env.CORE.prepare("update businesses set shard = ? where id = ?")
    .bind(shard, business.id)
    .run();
  const shop = { business: { ...business, shard }, keys };
  const ask = await createFuzzClientFor(shop);
  const collections = await selectRows(
    shop,
    "select id from collections where business_id = ?",
    business.id,
  );
  await copyRecords(shop, copies);
  await createDeal(shop, {
    appliesTo: { scope: "collection", ids: collections.map(({ id }) => String(id)) },
  });
  return { shop, ask };
}

/** Raises the catalogue version as any write to the catalogue does, so that caches expire. */
const invalidateCatalogue = (shop: CreatedBusiness) =>
  selectRows(
    shop,
    "update catalogue_versions set version = version + 1 where business_id = ?",
    shop.business.id,
  );

async function measureRequest(
  { ask }: MeasuredShop,
  operation: Operation,
  request: FuzzedRequest,
): Promise<MeasuredResponse> {
  const answers: ApiResponse[] = [];
  const { rowsRead, rowsReadBySql: readBy } = await measureD1Usage(async () => {
    answers.push(await ask(operation, request));
  });
  const [answer] = answers;
  if (!answer) throw new Error(`${operation.id} has no answer.`);
  return { answer, rows: rowsRead, rowsBySql: readBy };
}
