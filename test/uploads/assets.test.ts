import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { deleteAsset } from "../../shared/uploads/index.ts";
import { dataOf } from "../support/orders.ts";
import { auditedActions } from "../support/traces.ts";
import {
  type Answer,
  call,
  contextFor,
  givenBusiness,
  merchant,
  roundTrips,
  shopper,
} from "../support/world.ts";
import {
  bytesOf,
  deployer,
  get,
  givenAsset,
  givenAssetPlace,
  givenUpload,
  picture,
  put,
} from "./given.ts";

let shop: CreatedBusiness;
let deploy: ReturnType<typeof deployer>;

beforeEach(async () => {
  shop = await givenBusiness();
  deploy = deployer(shop);
});

const init = (body: object, ask = deploy) =>
  ask("POST", "/init", { body: { folder: "images", ...picture, size_bytes: 3, ...body } });
const confirm = (id: string) => deploy("POST", "/confirm", { body: { upload_id: id } });
const codeOf = ({ body }: Answer) => Object(body).error?.code;
const list = async (query = "") => dataOf(await deploy("GET", query));
const namesIn = ({ assets }: { assets: { filename: string }[] }) =>
  assets.map(({ filename }) => filename);

const three = bytesOf(3);

describe("POST /assets/init", () => {
  it("answers with a place, and with the public address that the asset will have", async () => {
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
    ["content_type", { content_type: "" }],
    ["size_bytes", { size_bytes: 0 }],
    ["size_bytes", { size_bytes: 52_428_801 }],
  ])("refuses a wrong %s (%#)", async (field, body) => {
    expect(await init(body)).toMatchObject({
      status: 400,
      body: { success: false, error: { code: "VALIDATION_ERROR", context: { field } } },
    });
  });

  it("takes the longest folder and name, and the largest file", async () => {
    const longest = { folder: "x".repeat(200), filename: "y".repeat(500), size_bytes: 52_428_800 };
    expect(await init(longest)).toMatchObject({ status: 200 });
  });

  it("answers a repeat with the same Idempotency-Key with the same place", async () => {
    const keyed = (body: object) =>
      deploy("POST", "/init", {
        body: { ...picture, size_bytes: 3, ...body },
        headers: { "Idempotency-Key": "one" },
      });
    const first = await keyed({});
    expect((await keyed({})).body).toEqual(first.body);
    expect(await keyed({ size_bytes: 4 })).toMatchObject({ status: 409 });
  });
});

describe("the deploy key", () => {
  it("is 401 when it is missing or of another kind, 403 for another business", async () => {
    const other = await givenBusiness();
    const asked = (authorization: string | null) =>
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
      expect(await asked(key)).toMatchObject({
        status: 401,
        body: { error: { code: "UNAUTHORIZED" } },
      });
    }
    expect(await asked(`Bearer ${other.keys.deploy}`)).toMatchObject({
      status: 403,
      body: { error: { code: "FORBIDDEN" } },
    });
    expect(await asked(`Bearer ${keys.deploy}`)).toMatchObject({ status: 200 });
  });

  it("opens none of the merchant's other calls", async () => {
    const headers = { "X-API-Key": "", Authorization: `Bearer ${shop.keys.deploy}` };
    expect(await merchant(shop)("GET", "/orders", { headers })).toMatchObject({ status: 401 });
  });
});

describe("POST /assets/confirm", () => {
  it("makes the asset public, answers flat, and again the same, within its round trips", async () => {
    const { id, address, url } = await givenAssetPlace(deploy, 3);
    expect((await get(url)).status).toBe(404);
    const sent = await put(address, three);
    expect(sent).toMatchObject({ status: 200, body: { data: { upload_id: id, size_bytes: 3 } } });
    const first = await confirm(id);
    expect(first.body).toEqual({ id, url, ...picture, size_bytes: 3 });
    expect(roundTrips(first)).toMatchObject({ d1: 2, do: 0 });
    expect((await confirm(id)).body).toEqual(first.body);
    expect((await get(url)).bytes).toEqual(three);
    expect(await auditedActions(shop)).toEqual(["asset.published"]);
  });

  it("is 400 before the bytes arrived; 404 for an unknown, another business's, and an expired one", async () => {
    const start = Date.now();
    vi.setSystemTime(start);
    const { id } = await givenAssetPlace(deploy, 3);
    expect(await confirm(id)).toMatchObject({
      status: 400,
      body: { error: { code: "BAD_REQUEST" } },
    });
    expect(codeOf(await confirm("up_unknown"))).toBe("NOT_FOUND");
    const foreign = await givenAssetPlace(deployer(await givenBusiness()), 3);
    await put(foreign.address, three);
    expect(codeOf(await confirm(foreign.id))).toBe("NOT_FOUND");
    const { id: upload } = await givenUpload(shopper(shop), three);
    expect(codeOf(await confirm(upload))).toBe("NOT_FOUND");
    vi.setSystemTime(start + 601_000);
    expect(codeOf(await confirm(id))).toBe("NOT_FOUND");
  });

  it("of the same path replaces what was there, which stays until then", async () => {
    const first = await givenAsset(deploy, three);
    const second = await givenAssetPlace(deploy, 4);
    await put(second.address, bytesOf(4));
    expect(second.url).toBe(first.url);
    expect((await get(first.url)).bytes).toEqual(three);
    await confirm(second.id);
    expect((await get(first.url)).bytes).toEqual(bytesOf(4));
    expect((await list()).assets).toMatchObject([{ id: second.id }]);
    expect(codeOf(await deploy("GET", `/${first.id}`))).toBe("NOT_FOUND");
    expect(codeOf(await confirm(first.id))).toBe("NOT_FOUND");
  });

  it("at once, of one asset or of several at one path, leaves one of them there", async () => {
    const places = await Promise.all([1, 2, 3].map((size) => givenAssetPlace(deploy, size)));
    await Promise.all(places.map(({ address }, index) => put(address, bytesOf(index + 1))));
    const answers = await Promise.all([...places, ...places].map(({ id }) => confirm(id)));
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    const { assets } = await list();
    expect(assets).toHaveLength(1);
    const [{ url, size_bytes }] = assets;
    expect((await get(url)).bytes).toEqual(bytesOf(size_bytes));
    expect(await auditedActions(shop)).toEqual(Array(3).fill("asset.published"));
  });
});

describe("GET /assets", () => {
  it("lists the public ones alone, the newest first, in pages with their total", async () => {
    const start = Date.now();
    for (const [index, filename] of ["a", "b", "c"].entries()) {
      vi.setSystemTime(start + index);
      await givenAsset(deploy, three, { filename });
    }
    await givenAssetPlace(deploy, 3, { filename: "unconfirmed" });
    await givenUpload(shopper(shop), three, { filename: "private" });
    await givenAsset(deployer(await givenBusiness()), three, { filename: "foreign" });
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

  it("caps the limit at 100, and refuses what is no page", async () => {
    expect((await list("?limit=5000")).pagination.limit).toBe(100);
    for (const query of ["?limit=0", "?limit=x", "?page=0", "?page=-1"]) {
      expect(await deploy("GET", query)).toMatchObject({ status: 400 });
    }
  });

  it("narrows to a folder, exactly, and to a type by its beginning", async () => {
    await givenAsset(deploy, three, { filename: "in", folder: "a/b" });
    await givenAsset(deploy, three, { filename: "below", folder: "a/b/c" });
    await givenAsset(deploy, three, { filename: "root", folder: "", content_type: "text/css" });
    expect(namesIn(await list("?folder=a/b"))).toEqual(["in"]);
    expect(namesIn(await list("?folder="))).toEqual(["root"]);
    expect(namesIn(await list("?mime_prefix=image/")).sort()).toEqual(["below", "in"]);
    expect(namesIn(await list("?folder=a/b&mime_prefix=text"))).toEqual([]);
    expect((await list("?mime_prefix=TEXT")).pagination.total).toBe(1);
    expect((await list("?mime_prefix=%25")).assets).toEqual([]);
  });
});

describe("GET /assets/{upload_id}", () => {
  it("answers with one row, flat", async () => {
    const { id, url } = await givenAsset(deploy, three);
    const answer = await deploy("GET", `/${id}`);
    const row = { id, url, ...picture, folder_path: "images", size_bytes: 3 };
    expect(answer.body).toEqual({ ...row, created_at: expect.any(String) });
    expect(roundTrips(answer)).toMatchObject({ d1: 1, do: 0 });
  });

  it("is 404 for an unknown, an unconfirmed, a shopper's and another business's", async () => {
    const { id: unconfirmed } = await givenAssetPlace(deploy, 3);
    const { id: upload } = await givenUpload(shopper(shop), three);
    const foreign = await givenAsset(deployer(await givenBusiness()), three);
    for (const id of ["up_unknown", unconfirmed, upload, foreign.id]) {
      expect(await deploy("GET", `/${id}`)).toMatchObject({
        status: 404,
        body: { success: false, error: { code: "NOT_FOUND" } },
      });
    }
  });
});

describe("DELETE /assets/{upload_id}", () => {
  it("is 204 without a body, takes the asset away at once, and 204 again", async () => {
    const { id, url } = await givenAsset(deploy, three);
    const answer = await deploy("DELETE", `/${id}`);
    expect(answer).toMatchObject({ status: 204, body: "" });
    expect(roundTrips(answer)).toMatchObject({ d1: 2, do: 0 });
    expect((await get(url)).status).toBe(404);
    expect(codeOf(await deploy("GET", `/${id}`))).toBe("NOT_FOUND");
    expect((await list()).pagination.total).toBe(0);
    expect(await deploy("DELETE", `/${id}`)).toMatchObject({ status: 204 });
    expect(await deploy("DELETE", "/up_unknown")).toMatchObject({ status: 204 });
    expect(await auditedActions(shop)).toEqual(["asset.published", "asset.deleted"]);
  });

  it("is 204 to each of several at once, and in the audit trail once", async () => {
    const { id } = await givenAsset(deploy, three);
    await Promise.all([1, 2, 3, 4].map(() => deleteAsset(contextFor(shop), id)));
    const answers = await Promise.all([1, 2].map(() => deploy("DELETE", `/${id}`)));
    expect(answers.map(({ status }) => status)).toEqual([204, 204]);
    expect(await auditedActions(shop)).toEqual(["asset.published", "asset.deleted"]);
  });

  it("is 204 as well when it is repeated with its Idempotency-Key", async () => {
    const { id } = await givenAsset(deploy, three);
    const remove = () => deploy("DELETE", `/${id}`, { headers: { "Idempotency-Key": "one" } });
    expect(await remove()).toMatchObject({ status: 204 });
    expect(await remove()).toMatchObject({ status: 204, body: "" });
  });

  it("ends a place whose bytes are still to come", async () => {
    const { id, address } = await givenAssetPlace(deploy, 3);
    await deploy("DELETE", `/${id}`);
    expect(await put(address, three)).toMatchObject({ status: 403 });
    expect(codeOf(await confirm(id))).toBe("NOT_FOUND");
  });

  it("leaves another business's asset and a shopper's file alone", async () => {
    const foreign = await givenAsset(deployer(await givenBusiness()), three);
    const { id, url } = await givenUpload(shopper(shop), three);
    for (const one of [foreign.id, id]) {
      expect(await deploy("DELETE", `/${one}`)).toMatchObject({ status: 204 });
    }
    expect((await get(foreign.url)).status).toBe(200);
    expect((await get(url)).status).toBe(200);
  });
});
