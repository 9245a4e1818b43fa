import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { deleteAsset } from "../../shared/uploads/index.ts";
import { listAuditActions } from "../support/row-counts.ts";
import {
  type ApiResponse,
  call,
  contextFor,
  createBusiness,
  dataOf,
  merchant,
  roundTrips,
  shopper,
} from "../support/world.ts";
import {
  createAsset,
  createBytes,
  createUpload,
  deployCaller,
  getFile,
  pictureFields,
  putBytes,
  reserveTestAsset,
} from "./create-uploads.ts";

let shop: CreatedBusiness;
let deploy: ReturnType<typeof deployCaller>;

beforeEach(async () => {
  shop = await createBusiness();
  deploy = deployCaller(shop);
});

const init = (body: object, ask = deploy) =>
  ask("POST", "/init", { body: { folder: "images", ...pictureFields, size_bytes: 3, ...body } });
const confirm = (id: string) => deploy("POST", "/confirm", { body: { upload_id: id } });
const codeOf = ({ body }: ApiResponse) => Object(body).error?.code;
const list = async (query = "") => dataOf(await deploy("GET", query));
const namesIn = ({ assets }: { assets: { filename: string }[] }) =>
  assets.map(({ filename }) => filename);

const three = createBytes(3);

describe("POST /assets/init", () => {
  it("returns an upload URL and the asset's future public URL", async () => {
    const answer = await init({});
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.body).toEqual({
      data: {
        upload_id: expect.stringMatching(/^up_\w{26}$/),
        upload_url: expect.stringMatching(/^https:\/\/duka\.test\//),
        expires_in_secs: 600,
        public_url_preview: `https://duka.test/cdn/assets/${shop.business.id}/images/tea.png`,
      },
    });
    expect(roundTrips(await init({}))).toMatchObject({ d1: 1, do: 0 });
  });

  it.each([
    ["folder", { folder: "x".repeat(201) }],
    ["folder", { folder: "a/../b" }],
    ["folder", { folder: "a\\b" }],
    ["folder", { folder: "a\nb" }],
    ["folder", { folder: "./a" }],
    ["filename", { filename: "x".repeat(501) }],
    ["filename", { filename: "a..b" }],
    ["filename", { filename: "a\\b" }],
    ["filename", { filename: "a\nb" }],
    ["filename", { filename: "" }],
    ["filename", { filename: "/" }],
    ["filename", { filename: "." }],
    ["filename", { filename: "\udc00" }],
    ["content_type", { content_type: "x".repeat(256) }],
    ["size_bytes", { size_bytes: 0 }],
    ["size_bytes", { size_bytes: 52_428_801 }],
  ])("rejects an invalid %s (%#)", async (field, body) => {
    expect(await init(body)).toMatchObject({
      status: 400,
      body: { success: false, error: { code: "VALIDATION_ERROR", context: { field } } },
    });
  });

  it("accepts the longest folder and name, and the largest file", async () => {
    const longest = { folder: "x".repeat(200), filename: "y".repeat(500), size_bytes: 52_428_800 };
    expect(await init(longest)).toMatchObject({ status: 200 });
  });

  it("returns the same asset for a repeated Idempotency-Key", async () => {
    const initWithKey = (body: object) =>
      deploy("POST", "/init", {
        body: { ...pictureFields, size_bytes: 3, ...body },
        headers: { "Idempotency-Key": "one" },
      });
    const first = await initWithKey({});
    expect((await initWithKey({})).body).toEqual(first.body);
    expect(await initWithKey({ size_bytes: 4 })).toMatchObject({ status: 409 });
  });
});

describe("the deploy key", () => {
  it("returns 401 for a missing key or another kind of key, 403 for another business", async () => {
    const other = await createBusiness();
    const listWith = (authorization: string | null) =>
      call("GET", `/v1/businesses/${shop.business.id}/assets`, {
        headers: authorization === null ? {} : { Authorization: authorization },
      });
    const { keys } = shop;
    for (const key of [
      null,
      `Bearer ${keys.secret}`,
      `Bearer ${keys.publishable}`,
      "Bearer dk_live_x",
    ]) {
      expect(await listWith(key)).toMatchObject({
        status: 401,
        body: { error: { code: "UNAUTHORIZED" } },
      });
    }
    expect(await listWith(`Bearer ${other.keys.deploy}`)).toMatchObject({
      status: 403,
      body: { error: { code: "FORBIDDEN" } },
    });
    expect(await listWith(`Bearer ${keys.deploy}`)).toMatchObject({ status: 200 });
  });

  it("does not authorize the other calls of the business API", async () => {
    const headers = { "X-API-Key": "", Authorization: `Bearer ${shop.keys.deploy}` };
    expect(await merchant(shop)("GET", "/orders", { headers })).toMatchObject({ status: 401 });
  });
});

describe("POST /assets/confirm", () => {
  it("makes the asset public, returns the same when repeated, within its round trips", async () => {
    const { id, address, url } = await reserveTestAsset(deploy, 3);
    expect((await getFile(url)).status).toBe(404);
    const sent = await putBytes(address, three);
    expect(sent).toMatchObject({ status: 200, body: { data: { upload_id: id, size_bytes: 3 } } });
    const first = await confirm(id);
    expect(first.body).toEqual({ id, url, ...pictureFields, size_bytes: 3 });
    expect(roundTrips(first)).toMatchObject({ d1: 2, do: 0 });
    expect((await confirm(id)).body).toEqual(first.body);
    expect((await getFile(url)).bytes).toEqual(three);
    expect(await listAuditActions(shop)).toEqual(["asset.published"]);
  });

  it("returns 400 without bytes; 404 for an unknown, another business's and an expired asset", async () => {
    const start = Date.now();
    vi.setSystemTime(start);
    const { id } = await reserveTestAsset(deploy, 3);
    expect(await confirm(id)).toMatchObject({
      status: 400,
      body: { error: { code: "BAD_REQUEST" } },
    });
    expect(codeOf(await confirm("up_unknown"))).toBe("NOT_FOUND");
    const foreign = await reserveTestAsset(deployCaller(await createBusiness()), 3);
    await putBytes(foreign.address, three);
    expect(codeOf(await confirm(foreign.id))).toBe("NOT_FOUND");
    const { id: upload } = await createUpload(shopper(shop), three);
    expect(codeOf(await confirm(upload))).toBe("NOT_FOUND");
    vi.setSystemTime(start + 601_000);
    expect(codeOf(await confirm(id))).toBe("NOT_FOUND");
  });

  it("replaces the asset at the same path, which stays public until then", async () => {
    const first = await createAsset(deploy, three);
    const second = await reserveTestAsset(deploy, 4);
    await putBytes(second.address, createBytes(4));
    expect(second.url).toBe(first.url);
    expect((await getFile(first.url)).bytes).toEqual(three);
    await confirm(second.id);
    expect((await getFile(first.url)).bytes).toEqual(createBytes(4));
    expect((await list()).assets).toMatchObject([{ id: second.id }]);
    expect(codeOf(await deploy("GET", `/${first.id}`))).toBe("NOT_FOUND");
    expect(codeOf(await confirm(first.id))).toBe("NOT_FOUND");
  });

  it("publishes one asset per path for concurrent calls", async () => {
    const places = await Promise.all([1, 2, 3].map((size) => reserveTestAsset(deploy, size)));
    await Promise.all(
      places.map(({ address }, index) => putBytes(address, createBytes(index + 1))),
    );
    const answers = await Promise.all([...places, ...places].map(({ id }) => confirm(id)));
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    const { assets } = await list();
    expect(assets).toHaveLength(1);
    const [{ url, size_bytes }] = assets;
    expect((await getFile(url)).bytes).toEqual(createBytes(size_bytes));
    expect(await listAuditActions(shop)).toEqual(Array(3).fill("asset.published"));
  });
});

describe("GET /assets", () => {
  it("lists public assets, the newest first, in pages with a total", async () => {
    const start = Date.now();
    for (const [index, filename] of ["a", "b", "c"].entries()) {
      vi.setSystemTime(start + index);
      await createAsset(deploy, three, { filename });
    }
    await reserveTestAsset(deploy, 3, { filename: "unconfirmed" });
    await createUpload(shopper(shop), three, { filename: "private" });
    await createAsset(deployCaller(await createBusiness()), three, { filename: "foreign" });
    const first = await list("?limit=2");
    expect(namesIn(first)).toEqual(["c", "b"]);
    expect(first.pagination).toEqual({ page: 1, limit: 2, total: 3 });
    expect(first.assets[0]).toEqual({
      id: expect.any(String),
      url: `https://duka.test/cdn/assets/${shop.business.id}/images/c`,
      filename: "c",
      folder_path: "images",
      content_type: "image/png",
      size_bytes: 3,
      created_at: new Date(start + 2).toISOString(),
    });
    expect(namesIn(await list("?limit=2&page=2"))).toEqual(["a"]);
    expect(await list("?page=9")).toEqual({
      assets: [],
      pagination: { page: 9, limit: 50, total: 3 },
    });
    expect(roundTrips(await deploy("GET", ""))).toMatchObject({ d1: 1, do: 0 });
  });

  it("caps the limit at 100 and rejects invalid pages", async () => {
    expect((await list("?limit=5000")).pagination.limit).toBe(100);
    for (const query of ["?limit=0", "?limit=x", "?page=0", "?page=-1"]) {
      expect(await deploy("GET", query)).toMatchObject({ status: 400 });
    }
  });

  it("filters by exact folder and by media type prefix", async () => {
    await createAsset(deploy, three, { filename: "in", folder: "a/b" });
    await createAsset(deploy, three, { filename: "below", folder: "a/b/c" });
    await createAsset(deploy, three, { filename: "root", folder: "", content_type: "text/css" });
    expect(namesIn(await list("?folder=a/b"))).toEqual(["in"]);
    expect(namesIn(await list("?folder="))).toEqual(["root"]);
    expect(namesIn(await list("?mime_prefix=image/")).sort()).toEqual(["below", "in"]);
    expect(namesIn(await list("?folder=a/b&mime_prefix=text"))).toEqual([]);
    expect((await list("?mime_prefix=TEXT")).pagination.total).toBe(1);
    expect((await list("?mime_prefix=%25")).assets).toEqual([]);
  });
});

describe("GET /assets/{upload_id}", () => {
  it("returns one asset without an envelope", async () => {
    const { id, url } = await createAsset(deploy, three);
    const answer = await deploy("GET", `/${id}`);
    const row = { id, url, ...pictureFields, folder_path: "images", size_bytes: 3 };
    expect(answer.body).toEqual({ ...row, created_at: expect.any(String) });
    expect(roundTrips(answer)).toMatchObject({ d1: 1, do: 0 });
  });

  it("returns 404 for an unknown, an unconfirmed, a shopper's and another business's file", async () => {
    const { id: unconfirmed } = await reserveTestAsset(deploy, 3);
    const { id: upload } = await createUpload(shopper(shop), three);
    const foreign = await createAsset(deployCaller(await createBusiness()), three);
    for (const id of ["up_unknown", unconfirmed, upload, foreign.id]) {
      expect(await deploy("GET", `/${id}`)).toMatchObject({
        status: 404,
        body: { success: false, error: { code: "NOT_FOUND" } },
      });
    }
  });
});

describe("DELETE /assets/{upload_id}", () => {
  it("deletes the asset with 204 and without a body, also when repeated", async () => {
    const { id, url } = await createAsset(deploy, three);
    const answer = await deploy("DELETE", `/${id}`);
    expect(answer).toMatchObject({ status: 204, body: "" });
    expect(roundTrips(answer)).toMatchObject({ d1: 2, do: 0 });
    expect((await getFile(url)).status).toBe(404);
    expect(codeOf(await deploy("GET", `/${id}`))).toBe("NOT_FOUND");
    expect((await list()).pagination.total).toBe(0);
    expect(await deploy("DELETE", `/${id}`)).toMatchObject({ status: 204 });
    expect(await deploy("DELETE", "/up_unknown")).toMatchObject({ status: 204 });
    expect(await listAuditActions(shop)).toEqual(["asset.published", "asset.deleted"]);
  });

  it("returns 204 to concurrent calls and records one audit entry", async () => {
    const { id } = await createAsset(deploy, three);
    await Promise.all([1, 2, 3, 4].map(() => deleteAsset(contextFor(shop), id)));
    const answers = await Promise.all([1, 2].map(() => deploy("DELETE", `/${id}`)));
    expect(answers.map(({ status }) => status)).toEqual([204, 204]);
    expect(await listAuditActions(shop)).toEqual(["asset.published", "asset.deleted"]);
  });

  it("returns 204 for a repeated Idempotency-Key", async () => {
    const { id } = await createAsset(deploy, three);
    const remove = () => deploy("DELETE", `/${id}`, { headers: { "Idempotency-Key": "one" } });
    expect(await remove()).toMatchObject({ status: 204 });
    expect(await remove()).toMatchObject({ status: 204, body: "" });
  });

  it("deletes an asset whose bytes have not arrived", async () => {
    const { id, address } = await reserveTestAsset(deploy, 3);
    await deploy("DELETE", `/${id}`);
    expect(await putBytes(address, three)).toMatchObject({ status: 403 });
    expect(codeOf(await confirm(id))).toBe("NOT_FOUND");
  });

  it("keeps another business's asset and a shopper's file", async () => {
    const foreign = await createAsset(deployCaller(await createBusiness()), three);
    const { id, url } = await createUpload(shopper(shop), three);
    for (const one of [foreign.id, id]) {
      expect(await deploy("DELETE", `/${one}`)).toMatchObject({ status: 204 });
    }
    expect((await getFile(foreign.url)).status).toBe(200);
    expect((await getFile(url)).status).toBe(200);
  });
});
