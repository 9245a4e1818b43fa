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
import { completeMove, openShard, otherShard } from "../moves/create-move.ts";
import { createDeal } from "../support/create-deal.ts";
import { measureD1Usage } from "../support/d1-usage.ts";
import { selectRows } from "../support/select-rows.ts";
import { contextFor, createBusiness } from "../support/world.ts";
import { createDealGroups, type DealGroups } from "./create-groups.ts";

let shop: CreatedBusiness;
let groups: DealGroups;
let now: number;

beforeEach(async () => {
  shop = await createBusiness();
  groups = await createDealGroups(shop);
  now = Date.now();
});

/** A seeded generator of integers below `end`. */
function seededRandomInt(seed: number): (end: number) => number {
  let state = seed;
  return (end) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * end);
  };
}

const findTargets = () =>
  selectRows(
    shop,
    `select scope, target_id, deal_id, ends_at, starts_at from deal_targets where business_id = ?
     order by scope, target_id, deal_id`,
    shop.business.id,
  );

type StoredDeal = Pick<Deal, "id" | "startsAt" | "endsAt" | "isActive" | "usageLimit"> &
  Readonly<{ timesRedeemed: number; scope: string; ids: readonly string[] }>;

/** The unarchived deals in order, read from their rows. */
async function findActiveDeals(): Promise<StoredDeal[]> {
  const rows = await selectRows(
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

const isUsable = ({ isActive, usageLimit, timesRedeemed }: StoredDeal): boolean =>
  isActive && timesRedeemed < (usageLimit ?? Number.POSITIVE_INFINITY);

/** The expected targets, calculated from the deals alone. */
const expectedTargets = (storedDeals: readonly StoredDeal[]) =>
  storedDeals
    .filter((deal) => isUsable(deal) && ["category", "collection"].includes(deal.scope))
    .flatMap(({ id, scope, ids, endsAt, startsAt }) =>
      [...new Set(ids)].map((target_id) => ({
        ...{ scope, target_id, deal_id: id },
        ...{ ends_at: endsAt ?? 8_640_000_000_000_000, starts_at: startsAt },
      })),
    )
    .sort((one, two) => (keyOf(one) < keyOf(two) ? -1 : 1));

const keyOf = (row: { scope: string; target_id: string; deal_id: string }) =>
  `${row.scope} ${row.target_id} ${row.deal_id}`;

/** The expected usable deals, calculated from the deals alone. */
const usableDealIds = (
  storedDeals: readonly StoredDeal[],
  scope: string,
  ids: readonly string[],
  at: number,
) =>
  storedDeals
    .filter(
      (deal) =>
        isUsable(deal) &&
        deal.scope === scope &&
        deal.ids.some((id) => ids.includes(id)) &&
        (deal.startsAt ?? at) <= at &&
        (deal.endsAt ?? at + 1) > at,
    )
    .map(({ id }) => id);

async function expectTargetsToMatch(step: string): Promise<void> {
  const storedDeals = await findActiveDeals();
  expect(await findTargets(), step).toEqual(expectedTargets(storedDeals));
  const offers = offerRepo(contextFor(shop));
  const { parentCategory: above, category: own, collection: list } = groups;
  for (const at of [now - 50, now, now + 50]) {
    const [ofAbove, ofOwn, ofList] = await Promise.all([
      offers.listForGroup({ scope: "category", id: above }, at),
      offers.listForGroup({ scope: "category", id: own }, at),
      offers.listForGroup({ scope: "collection", id: list }, at),
    ]);
    const idsOf = ({ deals }: { deals: readonly Deal[] | null }) =>
      deals?.filter(({ startsAt }) => (startsAt ?? at) <= at).map(({ id }) => id);
    expect(idsOf(ofAbove), step).toEqual(usableDealIds(storedDeals, "category", [above], at));
    expect(idsOf(ofOwn), step).toEqual(usableDealIds(storedDeals, "category", [above, own], at));
    expect(idsOf(ofList), step).toEqual(usableDealIds(storedDeals, "collection", [list], at));
  }
}

describe("deal_targets", () => {
  it.each([1, 2, 3])("matches the deals after random changes (%#)", async (seed) => {
    const below = seededRandomInt(seed);
    const dealIds: string[] = [];
    const oneOf = () => dealIds[below(dealIds.length)] ?? "";
    const ctx = contextFor(shop);
    const {
      parentCategory: above,
      category: own,
      collection: list,
      otherCollection: other,
    } = groups;
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
      dealIds.push(
        (await createDeal(shop, { ...fields(), usageLimit: [null, 1, 2][below(3)] ?? null })).id,
      );
    };
    const redeemed = (by: number) =>
      selectRows(
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
      () => selectRows(shop, "delete from deals where id = ?", oneOf()),
    ];
    await create();
    for (let step = 0; step < 40; step += 1) {
      const taken = below(steps.length);
      await Promise.allSettled([steps[taken]?.()]); // rejected for an archived deal
      await expectTargetsToMatch(`step ${step}, ${taken}`);
    }
    await create();
    await expectTargetsToMatch("the end");
  });

  it("is written only when the last use is taken or returned", async () => {
    const appliesTo: AppliesTo = { scope: "category", ids: [groups.category] };
    const { id } = await createDeal(shop, { appliesTo, usageLimit: 2 });
    const ofOrder = await createDeal(shop, { usageLimit: 2 });
    const use = async (deal: string, by: number) => {
      const change = "update deals set times_redeemed = times_redeemed + ? where id = ?";
      return (await measureD1Usage(() => selectRows(shop, change, by, deal))).rowsWritten;
    };
    expect(await use(id, 1)).toBe(await use(ofOrder.id, 1));
    expect(await findTargets()).toHaveLength(1);
    await use(id, 1);
    expect(await findTargets()).toEqual([]);
    await use(id, -1);
    expect(await findTargets()).toHaveLength(1);
  });

  it("moves with the business to another shard", async () => {
    await createDeal(shop, {
      appliesTo: { scope: "category", ids: [groups.category, groups.parentCategory] },
    });
    await createDeal(shop, {
      appliesTo: { scope: "collection", ids: [groups.collection] },
      endsAt: now + 9,
    });
    const from = shop.business.shard;
    const shard = otherShard(from);
    const query = "select * from deal_targets where business_id = ?";
    const findTargetsIn = async (name: string) =>
      (await openShard(name).prepare(query).bind(shop.business.id).all()).results;
    const before = await findTargetsIn(from);
    expect(before).toHaveLength(3);
    await completeMove(shop, shard);
    expect(await findTargetsIn(shard)).toEqual(before);
    expect(await findTargetsIn(from)).toEqual([]);
  });
});
