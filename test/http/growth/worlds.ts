import { env } from "cloudflare:workers";
import { vi } from "vitest";
import type { CreatedBusiness } from "../../../shared/businesses/index.ts";
import { givenDeal } from "../../support/deals.ts";
import { paidFor } from "../../support/rows-read.ts";
import { rowsOf } from "../../support/shop-database.ts";
import { type Answer, givenBusiness } from "../../support/world.ts";
import { fuzzedWorldOf } from "../fuzz/fuzzed-world.ts";
import type { FuzzedRequest } from "../fuzz/requests.ts";
import type { Operation } from "../operations.ts";
import { givenCopies } from "./copies.ts";

type World = Readonly<{ shop: CreatedBusiness; ask: Awaited<ReturnType<typeof fuzzedWorldOf>> }>;

/** An answer, and what D1 read for it. */
export type Read = Readonly<{
  answer: Answer;
  rows: number;
  /** Per statement. */
  by: ReadonlyMap<string, number>;
}>;

/** What the same request takes of two businesses, the one larger by so many copies of all that both have. */
export type BothReads = Readonly<{ small: Read; large: Read }>;

/**
 * Two businesses with the same records, in shards of their own, so that neither is among the rows of
 * the other; the large one has many more records besides. A deal of each takes off of a cart by itself.
 */
export async function givenBothWorlds(copies: { small: number; large: number }) {
  const [small, large] = await Promise.all([
    givenWorld(copies.small, "SHOP_1"),
    givenWorld(copies.large, "SHOP_2"),
  ]);

  async function forget(): Promise<void> {
    await Promise.all([small, large].map(({ shop }) => outdate(shop)));
    holdTime(5_001);
  }

  return {
    /** One request of each, or the same of both, in an isolate that remembers no key and no catalogue. */
    async ask(
      operation: Operation,
      requests: Readonly<{ small: FuzzedRequest; large: FuzzedRequest }>,
    ): Promise<BothReads> {
      await forget();
      return {
        small: await readIn(small, operation, requests.small),
        large: await readIn(large, operation, requests.large),
      };
    },
  };
}

let time = Date.parse("2031-01-15T12:00:00Z");

/** The clock stands still but for what is asked: what an isolate remembers it keeps for 5 s at most. */
export function holdTime(further = 0): void {
  time += further;
  vi.useFakeTimers({ toFake: ["Date"], now: time });
}

async function givenWorld(copies: number, shard: string): Promise<World> {
  const { business, keys } = await givenBusiness();
  await env.CORE.prepare("update businesses set shard = ? where id = ?")
    .bind(shard, business.id)
    .run();
  const shop = { business: { ...business, shard }, keys };
  const ask = await fuzzedWorldOf(shop);
  const collections = await rowsOf(
    shop,
    "select id from collections where business_id = ?",
    business.id,
  );
  await givenCopies(shop, copies);
  await givenDeal(shop, {
    appliesTo: { scope: "collection", ids: collections.map(({ id }) => String(id)) },
  });
  return { shop, ask };
}

/** As any write of the catalogue would: what is remembered of it is of an older version. */
const outdate = (shop: CreatedBusiness) =>
  rowsOf(
    shop,
    "update catalogue_versions set version = version + 1 where business_id = ?",
    shop.business.id,
  );

async function readIn({ ask }: World, operation: Operation, request: FuzzedRequest): Promise<Read> {
  const answers: Answer[] = [];
  const { rowsRead, readBy } = await paidFor(async () => {
    answers.push(await ask(operation, request));
  });
  const [answer] = answers;
  if (!answer) throw new Error(`${operation.id} has no answer.`);
  return { answer, rows: rowsRead, by: readBy };
}
