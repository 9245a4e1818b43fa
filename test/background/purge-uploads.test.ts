import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { maxAttempts } from "../../shared/uploads/index.ts";
import { tick } from "../support/cron.ts";
import { rowsOf } from "../support/shop-database.ts";
import { givenBusiness, shopper } from "../support/world.ts";
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

/** So early that nothing of another test is due. */
const start = Date.parse("2002-03-04T05:00:00Z");
const hour = 3_600_000;

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
    const { FILES } = env;
    const failing = {
      put: FILES.put.bind(FILES),
      head: FILES.head.bind(FILES),
      get: FILES.get.bind(FILES),
      delete: async (keys: string | string[]) => {
        await FILES.delete(keys);
        throw new Error("no answer");
      },
    } as unknown as R2Bucket; // safe: all that is called
    await tick({ ...env, FILES: failing });
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

  it("finds what is due by its index", async () => {
    const plan = await rowsOf(
      shop,
      "explain query plan select id from uploads where purge_at is not null and purge_at <= 1 order by purge_at limit 9",
    );
    expect(plan.map(({ detail }) => detail)).toEqual([
      "SEARCH uploads USING INDEX uploads_due (purge_at>? AND purge_at<?)",
    ]);
  });
});
