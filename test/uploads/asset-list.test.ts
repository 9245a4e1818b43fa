import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { assetPageQuery, assetTotalQuery } from "../../shared/uploads/index.ts";
import { completeMove, openShard, otherShard } from "../moves/create-move.ts";
import { runAllJobs } from "../support/cron.ts";
import { measureD1Usage } from "../support/d1-usage.ts";
import { selectRows } from "../support/select-rows.ts";
import { createLoggedInShopper } from "../support/sessions.ts";
import { contextFor, createBusiness, dataOf, merchant } from "../support/world.ts";
import {
  createAsset,
  createBytes,
  createUpload,
  deployCaller,
  putBytes,
  reserveTestAsset,
} from "./create-uploads.ts";

type Filter = Parameters<typeof assetPageQuery>[1];
type AssetRow = Readonly<{ id: string; folder: string; type: string; at: number }>;

let shop: CreatedBusiness;
let deploy: ReturnType<typeof deployCaller>;

beforeEach(async () => {
  shop = await createBusiness();
  deploy = deployCaller(shop);
});

const three = createBytes(3);
const types = ["image/png", "IMAGE/PNG", "image/webp", "text/css", "video/mp4"];
const folders = ["", "img", "img/deep"];
const noFilter: Filter = { folder: null, mimePrefix: null };

/** A pseudorandom number generator with the same sequence in every run. */
function seededRandom(seed: number): (end: number) => number {
  let state = seed;
  return (end) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * end);
  };
}

/** Inserts confirmed assets, some with equal times, a private file and a deleted asset. */
async function insertAssetRows(count: number): Promise<AssetRow[]> {
  const randomBelow = seededRandom(7);
  const rows = Array.from(
    { length: count },
    (_, number): AssetRow => ({
      id: `up_${String(randomBelow(10_000)).padStart(4, "0")}${number}`,
      folder: folders[randomBelow(3)] ?? "",
      type: types[randomBelow(5)] ?? "",
      at: 1_000 + randomBelow(count / 2),
    }),
  );
  await selectRows(
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

const newestFirst = (a: AssetRow, b: AssetRow): number => b.at - a.at || (a.id < b.id ? 1 : -1);

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

describe("GET /assets", () => {
  it("returns the right assets, order, pages and total for every filter", async () => {
    const rows = await insertAssetRows(60);
    for (const filter of filters) {
      const matching = rows
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

  it("reads only the page, however many assets there are and however rare their type", async () => {
    const read = async (filter: Filter) => {
      const { rowsRead } = await measureD1Usage(() => deploy("GET", addressOf(filter, 1, 5)));
      return rowsRead;
    };
    const testedFilters = [noFilter, ...filters.filter(({ mimePrefix }) => mimePrefix !== "")];
    await insertAssetRows(100);
    const few: number[] = [];
    for (const filter of testedFilters) few.push(await read(filter));
    await selectRows(
      shop,
      `insert into uploads (id, business_id, visibility, filename, content_type, size_bytes, folder_path,
         path, attempts, received_attempt, confirmed_at, created_at, expires_at)
       select 'up_' || value, ?1, 'public', 'a', 'font/woff2', 3, 'img', 'w' || value, 1, 1, 1000, 9000, 1000
       from json_each(?2)`,
      shop.business.id,
      JSON.stringify(Array.from({ length: 2_000 }, (_, number) => number)),
    );
    for (const [index, filter] of testedFilters.entries())
      expect(await read(filter), JSON.stringify(filter)).toBeLessThan((few[index] ?? 0) + 20);
  });

  it("is served by indexes", async () => {
    const planOf = async (query: { toSQL(): { sql: string; params: unknown[] } }) => {
      const { sql, params } = query.toSQL();
      const rows = await selectRows(shop, `explain query plan ${sql}`, ...params);
      return rows.map(({ detail }) => String(detail));
    };
    const ctx = contextFor(shop);
    const page = (filter: Filter) => planOf(assetPageQuery(ctx, filter, { limit: 50, offset: 0 }));
    expect(await page(noFilter)).toEqual([
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

describe("asset_counts", () => {
  const loadMaintainedCounts = () =>
    selectRows(
      shop,
      `select scope, content_type, assets from asset_counts where business_id = ?
       order by scope, content_type`,
      shop.business.id,
    );
  const countRows = () =>
    selectRows(
      shop,
      `select scope.value as scope, lower(content_type) as content_type, count(*) as assets
       from uploads, json_each(json_array('', '/' || folder_path)) as scope
       where business_id = ? and visibility = 'public' and confirmed_at is not null and deleted_at is null
       group by 1, 2 order by 1, 2`,
      shop.business.id,
    );

  it.each([1, 2, 3])("match the assets after any sequence of changes (%#)", async (seed) => {
    const randomBelow = seededRandom(seed);
    const reservedIds: string[] = [];
    const confirm = (id: string) => deploy("POST", "/confirm", { body: { upload_id: id } });
    const randomId = () => reservedIds[randomBelow(reservedIds.length)] ?? "";
    const reserve = async () => {
      const { id, address } = await reserveTestAsset(deploy, 3, {
        filename: `${randomBelow(3)}`,
        folder: folders[randomBelow(3)],
        content_type: types[randomBelow(5)],
      });
      reservedIds.push(id);
      return { id, address };
    };
    const steps = [
      async () => {
        const { id, address } = await reserve();
        await putBytes(address, three); // rejected if the type differs
        await confirm(id);
      },
      async () => {
        const fields = { folder: folders[randomBelow(3)], content_type: types[randomBelow(5)] };
        const { id } = await createAsset(deploy, three, {
          ...fields,
          filename: `${randomBelow(3)}`,
        });
        reservedIds.push(id);
      },
      () => reserve(),
      () => Promise.all([1, 2].map(() => deploy("DELETE", `/${randomId()}`))),
      () =>
        Promise.all([confirm(randomId()), deploy("DELETE", `/${randomId()}`), confirm(randomId())]),
    ];
    for (let step = 0; step < 24; step += 1) {
      await steps[randomBelow(steps.length)]?.();
      expect(await loadMaintainedCounts(), `step ${step}`).toEqual(await countRows());
    }
    vi.setSystemTime(Date.now() + 2 * 24 * 3_600_000);
    await runAllJobs();
    expect(await loadMaintainedCounts()).toEqual(await countRows());
    expect(await loadMaintainedCounts()).not.toEqual([]);
  });

  it("ignore the uploads of customers and their erasure", async () => {
    await createAsset(deploy, three);
    const before = await loadMaintainedCounts();
    const { ask, customerId } = await createLoggedInShopper(shop);
    await createUpload(ask, three);
    expect(await loadMaintainedCounts()).toEqual(before);
    await merchant(shop)("DELETE", `/customers/${customerId}/data`);
    expect(await loadMaintainedCounts()).toEqual(before);
    expect(before).toHaveLength(2);
  });

  it("move with the business to another shard", async () => {
    await createAsset(deploy, three);
    const from = shop.business.shard;
    const before = await loadMaintainedCounts();
    const shard = otherShard(from);
    await completeMove(shop, shard);
    const query = "select scope, content_type, assets from asset_counts where business_id = ?";
    const countsIn = async (name: string) =>
      (await openShard(name).prepare(query).bind(shop.business.id).all()).results;
    expect(await countsIn(shard)).toEqual(before);
    expect(await countsIn(from)).toEqual([]);
  });
});
