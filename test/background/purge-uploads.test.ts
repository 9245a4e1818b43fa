import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { dueFilesQuery, maxAttempts } from "../../shared/uploads/index.ts";
import { tick } from "../support/cron.ts";
import { dataOf } from "../support/orders.ts";
import { logIn } from "../support/sessions.ts";
import { rowsOf } from "../support/shop-database.ts";
import { contextFor, givenBusiness, roundTrips, shopper } from "../support/world.ts";
import {
  bytesOf,
  deployer,
  get,
  givenAsset,
  givenAssetPlace,
  givenPlace,
  givenUpload,
  put,
} from "../uploads/given.ts";

/** So far ahead that no alarm rings by itself. */
const start = Date.parse("2032-03-04T05:00:00Z");
const hour = 3_600_000;
/** In hours. */
const day = 24;

let shop: CreatedBusiness;
let ask: ReturnType<typeof shopper>;
let deploy: ReturnType<typeof deployer>;

beforeEach(async () => {
  vi.setSystemTime(start);
  shop = await givenBusiness();
  ask = shopper(shop);
  deploy = deployer(shop);
});

const three = bytesOf(3);
const objects = async (): Promise<string[]> =>
  (await env.FILES.list({ prefix: `${shop.business.id}/` })).objects.map(({ key }) => key);
const rows = () =>
  rowsOf(shop, "select id, purge_at from uploads where business_id = ?", shop.business.id);
const confirm = (id: string) => ask("POST", "/uploads/confirm", { body: { upload_id: id } });

async function sweepAfter(hours: number): Promise<void> {
  vi.setSystemTime(start + hours * hour);
  await tick();
}

/** The file store, until it answers no deletion any more. */
function deafStore(): R2Bucket {
  const { FILES } = env;
  return {
    put: FILES.put.bind(FILES),
    head: FILES.head.bind(FILES),
    get: FILES.get.bind(FILES),
    delete: async (keys: string | string[]) => {
      await FILES.delete(keys);
      throw new Error("no answer");
    },
  } as unknown as R2Bucket; // safe: all that is called
}

describe("the sweep of uploads", () => {
  it("removes what nobody confirmed within 24 hours, and nothing that was", async () => {
    await givenPlace(ask, 3);
    const sent = await givenPlace(ask, 3);
    await put(sent.address, three);
    const kept = await givenUpload(ask, three);
    const asset = await givenAsset(deploy, three);
    await sweepAfter(23);
    expect(await rows()).toHaveLength(4);
    await sweepAfter(24);
    expect((await rows()).map(({ id }) => id).sort()).toEqual([asset.id, kept.id].sort());
    expect(await objects()).toHaveLength(2);
    expect((await get(kept.url)).bytes).toEqual(three);
    expect((await get(asset.url)).bytes).toEqual(three);
    expect(await confirm(sent.id)).toMatchObject({ status: 404 });
  });

  it("removes the bytes of deleted and replaced assets, when none can be on their way any more", async () => {
    const first = await givenAsset(deploy, three);
    const second = await givenAsset(deploy, bytesOf(4));
    const other = await givenAsset(deploy, three, { filename: "other" });
    await deploy("DELETE", `/${other.id}`);
    expect(await objects()).toHaveLength(3);
    await sweepAfter(1);
    expect(await objects()).toEqual([`${shop.business.id}/${second.id}/1`]);
    expect((await rows()).map(({ id }) => id)).toEqual([second.id]);
    expect((await get(first.url)).bytes).toEqual(bytesOf(4));
  });

  it("removes what attempts that died left of a confirmed file, and leaves the file", async () => {
    const { id, address } = await givenPlace(ask, 3);
    // The first attempt stored its bytes, and died before it was noted.
    await rowsOf(shop, "update uploads set attempts = 1 where id = ? returning id", id);
    await env.FILES.put(`${shop.business.id}/${id}/1`, three);
    expect(await put(address, three)).toMatchObject({ status: 200 });
    expect(await confirm(id)).toMatchObject({ status: 200 });
    expect(await objects()).toHaveLength(2);
    await sweepAfter(24);
    expect(await objects()).toEqual([`${shop.business.id}/${id}/2`]);
    expect(await rows()).toEqual([{ id, purge_at: null }]);
  });

  it("goes on where a run died between the bytes and their rows", async () => {
    const { address } = await givenPlace(ask, 3);
    await put(address, three);
    vi.setSystemTime(start + 24 * hour);
    await tick({ ...env, FILES: deafStore() });
    expect(await objects()).toEqual([]);
    expect(await rows()).toHaveLength(1);
    await tick();
    expect(await rows()).toHaveLength(1); // its lease runs still
    vi.setSystemTime(start + 24 * hour + 5 * 60_000);
    await tick();
    expect(await rows()).toEqual([]);
  });

  it("is safe twice at once, and does many in one run", async () => {
    for (let index = 0; index < 12; index += 1) {
      const { address } = await givenAssetPlace(deploy, 3, { filename: `${index}` });
      await put(address, three);
    }
    vi.setSystemTime(start + 24 * hour);
    await Promise.all([tick(), tick()]);
    expect(await rows()).toEqual([]);
    expect(await objects()).toEqual([]);
  });

  it("can rely on it that an address takes so many attempts, and no more", async () => {
    const { address } = await givenPlace(ask, 3);
    for (let index = 0; index < maxAttempts; index += 1) {
      await put(address, new ReadableStream({ start: (stream) => stream.close() }));
    }
    expect(await put(address, three)).toMatchObject({ status: 409 });
  });

  it("removes a guest's file 30 days after it was last confirmed, as long as an unused session lasts", async () => {
    const { id, url } = await givenUpload(ask, three);
    await sweepAfter(30 * day - 1);
    expect(await rows()).toHaveLength(1);
    await sweepAfter(30 * day);
    expect([await rows(), await objects()]).toEqual([[], []]);
    expect(await get(url)).toMatchObject({ status: 403 }); // its address was good for 7 days
    expect(await confirm(id)).toMatchObject({ status: 404 });
  });

  it("keeps it anew for whoever confirms it again, so that the address they get holds", async () => {
    const { id } = await givenUpload(ask, three);
    vi.setSystemTime(start + 29 * day * hour);
    const { url } = dataOf(await confirm(id));
    await sweepAfter(35 * day);
    expect((await get(String(url))).bytes).toEqual(three);
    await sweepAfter(59 * day);
    expect([await rows(), await objects()]).toEqual([[], []]);
  });

  it("writes nothing for a file that was confirmed within a day", async () => {
    const { id } = await givenUpload(ask, three);
    vi.setSystemTime(start + 23 * hour);
    expect(roundTrips(await confirm(id))).toMatchObject({ d1: 2 }); // the key's, and the file's
    vi.setSystemTime(start + 24 * hour);
    expect(roundTrips(await confirm(id))).toMatchObject({ d1: 3 });
  });

  it("leaves a customer's file, and what a guest sent who then logged in", async () => {
    await givenUpload(ask, three);
    await logIn(ask, "+233241000001");
    await givenUpload(ask, three);
    await sweepAfter(365 * day);
    expect([await rows(), await objects()]).toMatchObject([{ length: 2 }, { length: 2 }]);
  });

  it("goes on where a run died between a guest's bytes and their row, and none gets them meanwhile", async () => {
    const { id } = await givenUpload(ask, three);
    vi.setSystemTime(start + 29 * day * hour);
    await ask("GET", "/cart"); // the session lives on
    vi.setSystemTime(start + 30 * day * hour);
    await tick({ ...env, FILES: deafStore() });
    expect([await rows(), await objects()]).toMatchObject([[{ id }], []]);
    expect(await confirm(id)).toMatchObject({ status: 404 });
    await logIn(ask, "+233241000002");
    vi.setSystemTime(start + 30 * day * hour + 5 * 60_000);
    await Promise.all([tick(), tick()]);
    expect(await rows()).toEqual([]);
  });

  it("removes the strays of a guest's file without the file, and then the file", async () => {
    const { id, address } = await givenPlace(ask, 3);
    await rowsOf(shop, "update uploads set attempts = 1 where id = ? returning id", id);
    await env.FILES.put(`${shop.business.id}/${id}/1`, three);
    await put(address, three);
    await confirm(id);
    await sweepAfter(day);
    expect(await objects()).toEqual([`${shop.business.id}/${id}/2`]);
    await sweepAfter(30 * day);
    expect([await rows(), await objects()]).toEqual([[], []]);
  });

  it("finds what is due by its indexes", async () => {
    const { sql, params } = dueFilesQuery(contextFor(shop).db, { now: start, limit: 9 }).toSQL();
    const plan = await rowsOf(shop, `explain query plan ${sql}`, ...params);
    const read = plan.map(({ detail }) => String(detail)).filter((one) => one.includes("uploads"));
    expect(read).toEqual([
      "SEARCH due USING INDEX uploads_due (purge_at>? AND purge_at<?)",
      "SEARCH due USING INDEX uploads_left_by_guests (confirmed_at>? AND confirmed_at<?)",
    ]);
  });
});
