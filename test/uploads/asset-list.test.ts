import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { assetPageQuery, assetTotalQuery } from "../../shared/uploads/index.ts";
import { moved, otherThan, shardNamed } from "../moves/given.ts";
import { tick } from "../support/cron.ts";
import { dataOf } from "../support/orders.ts";
import { paidFor } from "../support/rows-read.ts";
import { loggedInShopper } from "../support/sessions.ts";
import { rowsOf } from "../support/shop-database.ts";
import { contextFor, givenBusiness, merchant } from "../support/world.ts";
import { bytesOf, deployer, givenAsset, givenAssetPlace, givenUpload, put } from "./given.ts";

type Filter = Parameters<typeof assetPageQuery>[1];
type Kept = Readonly<{ id: string; folder: string; type: string; at: number }>;

let shop: CreatedBusiness;
let deploy: ReturnType<typeof deployer>;

beforeEach(async () => {
  shop = await givenBusiness();
  deploy = deployer(shop);
});

const three = bytesOf(3);
const types = ["image/png", "IMAGE/PNG", "image/webp", "text/css", "video/mp4"];
const folders = ["", "img", "img/deep"];
const everywhere: Filter = { folder: null, mimePrefix: null };

/** Numbers below `end` in an order of their own, the same in every run. */
function numbers(seed: number): (end: number) => number {
  let state = seed;
  return (end) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * end);
  };
}

/** Finished files as they stand in the table: assets, of which several are as old, and two that are none. */
async function givenRows(count: number): Promise<Kept[]> {
  const below = numbers(7);
  const rows = Array.from(
    { length: count },
    (_, number): Kept => ({
      id: `up_${String(below(10_000)).padStart(4, "0")}${number}`,
      folder: folders[below(3)] ?? "",
      type: types[below(5)] ?? "",
      at: 1_000 + below(count / 2),
    }),
  );
  await rowsOf(
    shop,
    `insert into uploads (id, business_id, visibility, filename, content_type, size_bytes, folder_path,
       path, attempts, received_attempt, confirmed_at, deleted_at, created_at, expires_at)
     select value ->> 'id', ?1, 'public', 'a', value ->> 'type', 3, value ->> 'folder', value ->> 'id',
       1, 1, 1000, null, value ->> 'at', 1000 from json_each(?2)
     union all select ?1 || 'private', ?1, 'private', 'a', 'image/png', 3, null, null, 1, 1, 1000, null, 1, 1000
     union all select ?1 || 'deleted', ?1, 'public', 'a', 'image/png', 3, 'img', 'x', 1, 1, 1000, 1000, 1, 1000`,
    shop.business.id,
    JSON.stringify(rows),
  );
  return rows;
}

const newestFirst = (a: Kept, b: Kept): number => b.at - a.at || (a.id < b.id ? 1 : -1);

const filters: readonly Filter[] = [null, "img", "none"].flatMap((folder) =>
  [null, "", "image/", "IMAGE/P", "text/css", "audio/", "%"].map((mimePrefix) => ({
    folder,
    mimePrefix,
  })),
);

const addressOf = ({ folder, mimePrefix }: Filter, page: number, limit: number): string =>
  `?${new URLSearchParams({
    page: String(page),
    limit: String(limit),
    ...(folder === null ? {} : { folder }),
    ...(mimePrefix === null ? {} : { mime_prefix: mimePrefix }),
  })}`;

describe("the list of assets", () => {
  it("has the same assets, order, pages and total however it is narrowed", async () => {
    const kept = await givenRows(60);
    for (const filter of filters) {
      const matching = kept
        .filter(({ folder }) => filter.folder === null || folder === filter.folder)
        .filter(({ type }) =>
          type.toLowerCase().startsWith((filter.mimePrefix ?? "").toLowerCase()),
        )
        .toSorted(newestFirst)
        .map(({ id }) => id);
      for (const page of [1, 2]) {
        const { assets, pagination } = dataOf(await deploy("GET", addressOf(filter, page, 9)));
        const ids = assets.map(({ id }: { id: string }) => id);
        expect(ids, JSON.stringify(filter)).toEqual(matching.slice((page - 1) * 9, page * 9));
        expect(pagination.total, JSON.stringify(filter)).toBe(matching.length);
      }
    }
  });

  it("reads a page and its total, of however many assets, and of types that are rare", async () => {
    const read = async (filter: Filter) => {
      const { rowsRead } = await paidFor(() => deploy("GET", addressOf(filter, 1, 5)));
      return rowsRead;
    };
    const asked = [everywhere, ...filters.filter(({ mimePrefix }) => mimePrefix !== "")];
    await givenRows(100);
    const few: number[] = [];
    for (const filter of asked) few.push(await read(filter));
    await rowsOf(
      shop,
      `insert into uploads (id, business_id, visibility, filename, content_type, size_bytes, folder_path,
         path, attempts, received_attempt, confirmed_at, created_at, expires_at)
       select 'up_' || value, ?1, 'public', 'a', 'font/woff2', 3, 'img', 'w' || value, 1, 1, 1000, 9000, 1000
       from json_each(?2)`,
      shop.business.id,
      JSON.stringify(Array.from({ length: 2_000 }, (_, number) => number)),
    );
    for (const [index, filter] of asked.entries())
      expect(await read(filter), JSON.stringify(filter)).toBeLessThan((few[index] ?? 0) + 20);
  });

  it("is read along its indexes", async () => {
    const planOf = async (query: { toSQL(): { sql: string; params: unknown[] } }) => {
      const { sql, params } = query.toSQL();
      const rows = await rowsOf(shop, `explain query plan ${sql}`, ...params);
      return rows.map(({ detail }) => String(detail));
    };
    const ctx = contextFor(shop);
    const page = (filter: Filter) => planOf(assetPageQuery(ctx, filter, { limit: 50, offset: 0 }));
    expect(await page(everywhere)).toEqual([
      "SEARCH uploads USING INDEX assets_newest (business_id=?)",
    ]);
    expect(await page({ folder: "a", mimePrefix: null })).toEqual([
      "SEARCH uploads USING INDEX assets_in_folder (business_id=? AND folder_path=?)",
    ]);
    expect(await page({ folder: null, mimePrefix: "image/" })).toEqual(
      expect.arrayContaining([
        "SEARCH uploads USING INDEX assets_of_type (business_id=? AND <expr>=?)",
        "SEARCH uploads USING INDEX assets_of_type (business_id=? AND <expr>=? AND (created_at,id)<(?,?))",
      ]),
    );
    expect(await page({ folder: "a", mimePrefix: "image/" })).toEqual(
      expect.arrayContaining([
        "SEARCH uploads USING INDEX assets_of_type_in_folder (business_id=? AND folder_path=? AND <expr>=?)",
        "SEARCH uploads USING INDEX assets_of_type_in_folder (business_id=? AND folder_path=? AND <expr>=? AND (created_at,id)<(?,?))",
      ]),
    );
    expect(await planOf(assetTotalQuery(ctx, { folder: "a", mimePrefix: "image/" }))).toEqual([
      "SEARCH asset_counts USING PRIMARY KEY (business_id=? AND scope=?)",
    ]);
  });
});

describe("the counts of assets", () => {
  const kept = () =>
    rowsOf(
      shop,
      `select scope, content_type, assets from asset_counts where business_id = ?
       order by scope, content_type`,
      shop.business.id,
    );
  const counted = () =>
    rowsOf(
      shop,
      `select scope.value as scope, lower(content_type) as content_type, count(*) as assets
       from uploads, json_each(json_array('', '/' || folder_path)) as scope
       where business_id = ? and visibility = 'public' and confirmed_at is not null and deleted_at is null
       group by 1, 2 order by 1, 2`,
      shop.business.id,
    );

  it.each([1, 2, 3])("are what is there after whatever happened to it (%#)", async (seed) => {
    const below = numbers(seed);
    const places: string[] = [];
    const confirm = (id: string) => deploy("POST", "/confirm", { body: { upload_id: id } });
    const oneOf = () => places[below(places.length)] ?? "";
    const begin = async () => {
      const { id, address } = await givenAssetPlace(deploy, 3, {
        filename: `${below(3)}`,
        folder: folders[below(3)],
        content_type: types[below(5)],
      });
      places.push(id);
      return { id, address };
    };
    const steps = [
      async () => {
        const { id, address } = await begin();
        await put(address, three); // of another type: refused
        await confirm(id);
      },
      async () => {
        const fields = { folder: folders[below(3)], content_type: types[below(5)] };
        const { id } = await givenAsset(deploy, three, { ...fields, filename: `${below(3)}` });
        places.push(id);
      },
      () => begin(),
      () => Promise.all([1, 2].map(() => deploy("DELETE", `/${oneOf()}`))),
      () => Promise.all([confirm(oneOf()), deploy("DELETE", `/${oneOf()}`), confirm(oneOf())]),
    ];
    for (let step = 0; step < 24; step += 1) {
      await steps[below(steps.length)]?.();
      expect(await kept(), `step ${step}`).toEqual(await counted());
    }
    vi.setSystemTime(Date.now() + 2 * 24 * 3_600_000);
    await tick();
    expect(await kept()).toEqual(await counted());
    expect(await kept()).not.toEqual([]);
  });

  it("know nothing of what customers sent, nor of its erasure", async () => {
    await givenAsset(deploy, three);
    const before = await kept();
    const { ask, customerId } = await loggedInShopper(shop);
    await givenUpload(ask, three);
    expect(await kept()).toEqual(before);
    await merchant(shop)("DELETE", `/customers/${customerId}/data`);
    expect(await kept()).toEqual(before);
    expect(before).toHaveLength(2);
  });

  it("go along when the business moves to another shard, and leave nothing", async () => {
    await givenAsset(deploy, three);
    const from = shop.business.shard;
    const before = await kept();
    const shard = otherThan(from);
    await moved(shop, shard);
    const asked = "select scope, content_type, assets from asset_counts where business_id = ?";
    const countsIn = async (name: string) =>
      (await shardNamed(name).prepare(asked).bind(shop.business.id).all()).results;
    expect(await countsIn(shard)).toEqual(before);
    expect(await countsIn(from)).toEqual([]);
  });
});
