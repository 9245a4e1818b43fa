import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { confirmAsset, openFiles, receiveBytes, uploadRepo } from "../../shared/uploads/index.ts";
import { everybodyKnows, moved } from "../moves/given.ts";
import { tick } from "../support/cron.ts";
import { dataOf } from "../support/orders.ts";
import { rowsOf } from "../support/shop-database.ts";
import { auditedActions } from "../support/traces.ts";
import { contextFor, givenBusiness, shopper } from "../support/world.ts";
import {
  askWith,
  bytesOf,
  deployer,
  filesWith,
  get,
  givenAsset,
  givenAssetPlace,
  givenPlace,
  givenUpload,
  heldBody,
  picture,
  put,
} from "./given.ts";

let shop: CreatedBusiness;
let ask: ReturnType<typeof shopper>;
let deploy: ReturnType<typeof deployer>;

beforeEach(async () => {
  shop = await givenBusiness();
  ask = shopper(shop);
  deploy = deployer(shop);
});

const three = bytesOf(3);
const hour = 3_600_000;
const objects = async (): Promise<string[]> =>
  (await env.FILES.list({ prefix: `${shop.business.id}/` })).objects.map(({ key }) => key);
const rows = () => rowsOf(shop, "select id from uploads where business_id = ?", shop.business.id);
const confirm = (id: string) => ask("POST", "/uploads/confirm", { body: { upload_id: id } });
const begun = async (id: string) =>
  (await rowsOf(shop, "select attempts from uploads where id = ?", id))[0]?.attempts === 1;

const down = async (): Promise<never> => {
  throw new Error("R2 does not answer.");
};
const outage = { status: 503, body: { error: { code: "SERVICE_UNAVAILABLE", retryable: true } } };

/** A request that meets another store of bytes. */
async function meeting(FILES: R2Bucket, request: Request) {
  const response = await askWith({ FILES }, request);
  return { status: response.status, body: await response.json() };
}
const sending = (address: string, body: BodyInit = three) =>
  new Request(address, { method: "PUT", headers: { "Content-Type": picture.content_type }, body });

describe("when R2 is down", () => {
  it("a PUT is 503 and can be repeated, also when the bytes were kept and the answer was lost", async () => {
    for (const lost of [
      down,
      async (...args: Parameters<R2Bucket["put"]>) => {
        await env.FILES.put(...args);
        return down();
      },
    ]) {
      const { id, address } = await givenPlace(ask, 3);
      expect(await meeting(filesWith({ put: lost }), sending(address))).toMatchObject(outage);
      expect(await put(address, three)).toMatchObject({ status: 200 });
      expect(await confirm(id)).toMatchObject({ status: 200 });
    }
    expect(await objects()).toHaveLength(2);
  });

  it("nor is anything lost where what is left behind cannot be removed: the sweep does", async () => {
    const start = Date.parse("2033-02-01T00:00:00Z");
    vi.setSystemTime(start);
    const { id, address } = await givenPlace(ask, 3);
    const keeps = async (...args: Parameters<R2Bucket["put"]>) => {
      await env.FILES.put(...args);
      return down();
    };
    const FILES = filesWith({ put: keeps, delete: down });
    expect(await meeting(FILES, sending(address))).toMatchObject(outage);
    await put(address, three);
    const { url } = dataOf(await confirm(id));
    expect(await objects()).toHaveLength(2);
    vi.setSystemTime(start + 24 * hour);
    await tick();
    expect(await objects()).toEqual([`${shop.business.id}/${id}/2`]);
    expect((await get(url)).bytes).toEqual(three);
  });

  it("a confirmation is 503, and holds once it is repeated", async () => {
    const { id, address, url } = await givenAssetPlace(deploy, 3);
    await put(address, three);
    const { keys, business } = shop;
    const confirming = new Request(
      `https://duka.test/v1/businesses/${business.id}/assets/confirm`,
      {
        method: "POST",
        headers: { Authorization: `Bearer ${keys.deploy}`, "Content-Type": "application/json" },
        body: JSON.stringify({ upload_id: id }),
      },
    );
    expect(await meeting(filesWith({ head: down }), confirming)).toMatchObject(outage);
    expect((await get(url)).status).toBe(404);
    expect(await deploy("POST", "/confirm", { body: { upload_id: id } })).toMatchObject({
      status: 200,
    });
  });

  it("a file is 503, and 404 where its bytes are gone", async () => {
    const { url } = await givenUpload(ask, three);
    const asset = await givenAsset(deploy, three);
    for (const address of [url, asset.url]) {
      expect(await meeting(filesWith({ get: down }), new Request(address))).toMatchObject(outage);
    }
    await env.FILES.delete(await objects());
    for (const address of [url, asset.url]) expect((await get(address)).status).toBe(404);
  });
});

describe("a PUT", () => {
  it("that died half-way is sent again, and is whole", async () => {
    const { id, address } = await givenPlace(ask, 3);
    const left = [bytesOf(2)];
    const dying = new ReadableStream<Uint8Array>({
      pull(controller) {
        const part = left.shift();
        if (part) controller.enqueue(part);
        else controller.error(new Error("The sender is gone."));
      },
    });
    expect(await meeting(env.FILES, sending(address, dying))).toMatchObject(outage);
    expect(await confirm(id)).toMatchObject({ status: 400 });
    expect(await objects()).toEqual([]);
    expect(await put(address, three)).toMatchObject({ status: 200 });
    expect(await confirm(id)).toMatchObject({ status: 200 });
  });

  it("is in nobody's way: what is confirmed beside it is another's bytes", async () => {
    const { id, address } = await givenPlace(ask, 3);
    const { body, release } = heldBody(bytesOf(3, 11));
    const slow = put(address, body);
    await vi.waitUntil(() => begun(id));
    expect(await confirm(id)).toMatchObject({ status: 400 });
    await put(address, three);
    const { url } = dataOf(await confirm(id));
    release();
    expect(await slow).toMatchObject({ status: 409 });
    expect((await get(url)).bytes).toEqual(three);
  });

  it("whose asset was deleted and swept meanwhile is 403, and leaves nothing behind", async () => {
    const start = Date.parse("2033-03-01T00:00:00Z");
    vi.setSystemTime(start);
    const { id, address } = await givenAssetPlace(deploy, 3);
    const { body, release } = heldBody(three);
    const slow = put(address, body);
    await vi.waitUntil(() => begun(id));
    await deploy("DELETE", `/${id}`);
    vi.setSystemTime(start + hour);
    await tick();
    expect(await rows()).toEqual([]);
    release();
    expect(await slow).toMatchObject({ status: 403, body: { error: { code: "FORBIDDEN" } } });
    expect(await objects()).toEqual([]);
  });

  it("that would outlast the sweep's patience is broken off, and can be repeated", async () => {
    const { id, address } = await givenPlace(ask, 3);
    const tooLong = new AbortController();
    const ctx = { ...contextFor(shop), files: openFiles(env.FILES) };
    const declared = { contentType: picture.content_type, sizeBytes: 3 };
    const { body, release } = heldBody(three);
    const slow = receiveBytes(async () => ctx, {
      uploadId: id,
      declared,
      sent: { ...declared, bytes: body, signal: tooLong.signal },
    });
    await vi.waitUntil(() => begun(id));
    tooLong.abort();
    await expect(slow).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
    release();
    expect(await objects()).toEqual([]);
    expect(await put(address, three)).toMatchObject({ status: 200 });
  });

  it("arrives though its business moved to another database meanwhile", async () => {
    const start = Date.now();
    vi.setSystemTime(start);
    const { id, address } = await givenPlace(ask, 3);
    const { body, release } = heldBody(three);
    const slow = put(address, body);
    await vi.waitUntil(() => begun(id));
    await moved(shop);
    everybodyKnows();
    release();
    expect(await slow).toMatchObject({ status: 200 });
    const confirmed = await confirm(id);
    expect(confirmed).toMatchObject({ status: 200 });
    expect((await get(dataOf(confirmed).url)).bytes).toEqual(three);
  });

  it("that is noted twice is one: the attempt that won goes on having won", async () => {
    const { id } = await givenPlace(ask, 3);
    const uploads = uploadRepo(contextFor(shop));
    await uploads.begin(id, Date.now());
    await uploads.begin(id, Date.now());
    const [first, second] = [1, 2].map((attempt) => ({ attempt, etag: `"${attempt}"` }));
    if (!first || !second) throw new Error("There are two.");
    expect(await uploads.finish(id, second)).toBeNull();
    expect(await uploads.finish(id, second)).toBeNull();
    expect(await uploads.finish(id, first)).toBe("finished");
    expect(await uploads.finish("upl_unknown", first)).toBe("gone");
  });
});

describe("a confirmation", () => {
  it("holds the object against what arrived: another of the same length is none", async () => {
    const { id, address } = await givenPlace(ask, 3);
    await put(address, three);
    const [key = ""] = await objects();
    await env.FILES.put(key, bytesOf(3, 11));
    expect(await confirm(id)).toMatchObject({
      status: 400,
      body: { error: { code: "BAD_REQUEST" } },
    });
    await env.FILES.put(key, three);
    expect(await confirm(id)).toMatchObject({ status: 200 });
  });

  it("of an asset that the sweep forgets at that moment leaves the one before in its place", async () => {
    const before = await givenAsset(deploy, three);
    const { id, address } = await givenAssetPlace(deploy, 3);
    await put(address, bytesOf(3, 11));
    const files = filesWith({
      async head(key) {
        await rowsOf(shop, "delete from uploads where id = ? returning id", id);
        return env.FILES.head(key);
      },
    });
    const ctx = { ...contextFor(shop), files: openFiles(files) };
    await expect(confirmAsset(ctx, id)).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect((await get(before.url)).bytes).toEqual(three);
    expect(await auditedActions(shop)).toEqual(["asset.published"]);
  });

  it("beside the sweep is either's: confirmed and kept, or gone and 404", async () => {
    const start = Date.parse("2033-04-01T00:00:00Z");
    vi.setSystemTime(start);
    const { id, address } = await givenPlace(ask, 3);
    await put(address, three);
    vi.setSystemTime(start + 24 * hour);
    const [confirmed] = await Promise.all([confirm(id), tick()]);
    const isKept = confirmed.status === 200;
    expect([200, 404]).toContain(confirmed.status);
    expect(await rows()).toHaveLength(isKept ? 1 : 0);
    expect(await objects()).toHaveLength(isKept ? 1 : 0);
  });
});
