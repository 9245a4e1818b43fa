import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import {
  type AppliesTo,
  archiveDeal,
  type Deal,
  type NewDeal,
  offerRepo,
  updateDeal,
} from "../../shared/deals/index.ts";
import { moved, otherThan, shardNamed } from "../moves/given.ts";
import { givenDeal } from "../support/deals.ts";
import { paidFor } from "../support/rows-read.ts";
import { rowsOf } from "../support/shop-database.ts";
import { contextFor, givenBusiness } from "../support/world.ts";
import { type Groups, givenGroups } from "./given.ts";

let shop: CreatedBusiness;
let groups: Groups;
let now: number;

beforeEach(async () => {
  shop = await givenBusiness();
  groups = await givenGroups(shop);
  now = Date.now();
});

/** Numbers below `end` in an order of their own, the same in every run. */
function numbers(seed: number): (end: number) => number {
  let state = seed;
  return (end) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * end);
  };
}

const kept = () =>
  rowsOf(
    shop,
    `select scope, target_id, deal_id, ends_at, starts_at from deal_targets where business_id = ?
     order by scope, target_id, deal_id`,
    shop.business.id,
  );

type Known = Pick<Deal, "id" | "startsAt" | "endsAt" | "isActive" | "usageLimit"> &
  Readonly<{ timesRedeemed: number; scope: string; ids: readonly string[] }>;

/** The deals that are not archived, as their own rows tell of them, in order. */
async function dealsThemselves(): Promise<Known[]> {
  const rows = await rowsOf(
    shop,
    "select * from deals where business_id = ? and archived_at is null order by id",
    shop.business.id,
  );
  return rows.map((row) => ({
    id: String(row.id),
    startsAt: instantOf(row.starts_at),
    endsAt: instantOf(row.ends_at),
    isActive: row.is_active === 1,
    usageLimit: instantOf(row.usage_limit),
    timesRedeemed: Number(row.times_redeemed),
    scope: String(row.scope),
    ids: JSON.parse(String(row.scope_ids)),
  }));
}

const instantOf = (value: unknown) => (value === null ? null : Number(value));

const isLeft = ({ isActive, usageLimit, timesRedeemed }: Known): boolean =>
  isActive && timesRedeemed < (usageLimit ?? Number.POSITIVE_INFINITY);

/** What should be kept, found out from the deals alone. */
const targetsOf = (found: readonly Known[]) =>
  found
    .filter((deal) => isLeft(deal) && ["category", "collection"].includes(deal.scope))
    .flatMap(({ id, scope, ids, endsAt, startsAt }) =>
      [...new Set(ids)].map((target_id) => ({
        ...{ scope, target_id, deal_id: id },
        ...{ ends_at: endsAt ?? 8_640_000_000_000_000, starts_at: startsAt },
      })),
    )
    .sort((one, two) => (keyOf(one) < keyOf(two) ? -1 : 1));

const keyOf = (row: { scope: string; target_id: string; deal_id: string }) =>
  `${row.scope} ${row.target_id} ${row.deal_id}`;

/** The answer of the contract, found out from the deals alone. */
const usableAmong = (found: readonly Known[], scope: string, ids: readonly string[], at: number) =>
  found
    .filter(
      (deal) =>
        isLeft(deal) &&
        deal.scope === scope &&
        deal.ids.some((id) => ids.includes(id)) &&
        (deal.startsAt ?? at) <= at &&
        (deal.endsAt ?? at + 1) > at,
    )
    .map(({ id }) => id);

const idsOf = (found: readonly Deal[] | null) => found?.map(({ id }) => id);

async function expectInStep(step: string): Promise<void> {
  const found = await dealsThemselves();
  expect(await kept(), step).toEqual(targetsOf(found));
  const offers = offerRepo(contextFor(shop));
  const { above, own, list } = groups;
  for (const at of [now - 50, now, now + 50]) {
    const [ofAbove, ofOwn, ofList] = await Promise.all([
      offers.ofCategory(above, at),
      offers.ofCategory(own, at),
      offers.ofCollection(list, at),
    ]);
    expect(idsOf(ofAbove), step).toEqual(usableAmong(found, "category", [above], at));
    expect(idsOf(ofOwn), step).toEqual(usableAmong(found, "category", [above, own], at));
    expect(idsOf(ofList), step).toEqual(usableAmong(found, "collection", [list], at));
  }
}

describe("what deals are for", () => {
  it.each([1, 2, 3])("is as the deals say after whatever happened to them (%#)", async (seed) => {
    const below = numbers(seed);
    const made: string[] = [];
    const oneOf = () => made[below(made.length)] ?? "";
    const ctx = contextFor(shop);
    const { above, own, list, other } = groups;
    const scopes: readonly AppliesTo[] = [
      { scope: "order", ids: [] },
      { scope: "category", ids: [own] },
      { scope: "category", ids: [above, own] },
      { scope: "category", ids: [own, own] },
      { scope: "collection", ids: [list] },
      { scope: "collection", ids: [other, list] },
    ];
    const fields = (): Pick<NewDeal, "appliesTo" | "startsAt" | "endsAt" | "isActive"> => ({
      appliesTo: scopes[below(scopes.length)] ?? { scope: "order", ids: [] },
      startsAt: [null, null, now - 60, now + 20][below(4)] ?? null,
      endsAt: [null, null, now + 40, now + 80][below(4)] ?? null,
      isActive: below(5) > 0,
    });
    const create = async () => {
      made.push(
        (await givenDeal(shop, { ...fields(), usageLimit: [null, 1, 2][below(3)] ?? null })).id,
      );
    };
    const redeemed = (by: number) =>
      rowsOf(
        shop,
        `update deals set times_redeemed = times_redeemed + ?2
         where id = ?1 and times_redeemed + ?2 between 0 and coalesce(usage_limit, 9)`,
        oneOf(),
        by,
      );
    const steps = [
      create,
      create,
      () => updateDeal(ctx, oneOf(), fields()),
      () => updateDeal(ctx, oneOf(), { isActive: below(2) === 0 }),
      () => updateDeal(ctx, oneOf(), { usageLimit: [null, 2, 3][below(3)] }),
      () => redeemed(1),
      () => redeemed(1),
      () => redeemed(-1),
      () => archiveDeal(ctx, oneOf()),
      () => rowsOf(shop, "delete from deals where id = ?", oneOf()),
    ];
    await create();
    for (let step = 0; step < 40; step += 1) {
      const taken = below(steps.length);
      await Promise.allSettled([steps[taken]?.()]); // of an archived or deleted deal it is refused
      await expectInStep(`step ${step}, ${taken}`);
    }
    await create();
    await expectInStep("the end");
  });

  it("is found out for the deals that were there before, beside what triggers wrote by then", async () => {
    const appliesTo: AppliesTo = { scope: "category", ids: [groups.own, groups.own, groups.above] };
    const first = await givenDeal(shop, { appliesTo });
    await givenDeal(shop, { appliesTo, endsAt: now + 9 });
    await givenDeal(shop, {
      appliesTo: { scope: "collection", ids: [groups.list] },
      usageLimit: 1,
    });
    await givenDeal(shop, { appliesTo, isActive: false });
    const before = await kept();
    expect(before).toHaveLength(5);
    await rowsOf(shop, "delete from deal_targets where deal_id > ?", first.id);
    expect(await kept()).toHaveLength(2);
    const migration = env.SHOP_MIGRATIONS.find(({ name }) => name.includes("deal_targets"));
    await rowsOf(shop, migration?.queries.at(-1) ?? "");
    expect(await kept()).toEqual(before);
  });

  it("is not written by a use, but by the last one and by one that is given back", async () => {
    const appliesTo: AppliesTo = { scope: "category", ids: [groups.own] };
    const { id } = await givenDeal(shop, { appliesTo, usageLimit: 2 });
    const ofOrder = await givenDeal(shop, { usageLimit: 2 });
    const use = async (deal: string, by: number) => {
      const change = "update deals set times_redeemed = times_redeemed + ? where id = ?";
      return (await paidFor(() => rowsOf(shop, change, by, deal))).rowsWritten;
    };
    expect(await use(id, 1)).toBe(await use(ofOrder.id, 1));
    expect(await kept()).toHaveLength(1);
    await use(id, 1);
    expect(await kept()).toEqual([]);
    await use(id, -1);
    expect(await kept()).toHaveLength(1);
  });

  it("goes along when the business moves to another shard, and leaves nothing", async () => {
    await givenDeal(shop, { appliesTo: { scope: "category", ids: [groups.own, groups.above] } });
    await givenDeal(shop, {
      appliesTo: { scope: "collection", ids: [groups.list] },
      endsAt: now + 9,
    });
    const from = shop.business.shard;
    const shard = otherThan(from);
    const asked = "select * from deal_targets where business_id = ?";
    const keptIn = async (name: string) =>
      (await shardNamed(name).prepare(asked).bind(shop.business.id).all()).results;
    const before = await keptIn(from);
    expect(before).toHaveLength(3);
    await moved(shop, shard);
    expect(await keptIn(shard)).toEqual(before);
    expect(await keptIn(from)).toEqual([]);
  });
});
