import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { assetAtQuery } from "../../shared/uploads/index.ts";
import { call, contextFor, givenBusiness, roundTrips, shopper } from "../support/world.ts";
import {
  bytesOf,
  deployer,
  get,
  givenAsset,
  givenAssetPlace,
  givenPlace,
  pathOf,
} from "./given.ts";

let shop: CreatedBusiness;
let deploy: ReturnType<typeof deployer>;

beforeEach(async () => {
  shop = await givenBusiness();
  deploy = deployer(shop);
});

const ten = bytesOf(10);

describe("an asset's public address", () => {
  it("gives the bytes to everybody without a key, with type, tag and a short life in caches", async () => {
    const { url } = await givenAsset(deploy, ten);
    await get(url);
    const { status, headers, bytes } = await get(url);
    expect({ status, bytes }).toEqual({ status: 200, bytes: ten });
    expect(Object.fromEntries(headers)).toMatchObject({
      "content-type": "image/png",
      "content-length": "10",
      etag: expect.stringMatching(/^"\w+"$/),
      "cache-control": "public, max-age=60",
      "cross-origin-resource-policy": "cross-origin",
      "x-content-type-options": "nosniff",
    });
    expect(headers.get("content-disposition")).toBeNull();
    expect(roundTrips({ status, headers, body: null })).toMatchObject({ d1: 1, do: 0 });
  });

  it("gives parts, and 304 by the tag", async () => {
    const { url } = await givenAsset(deploy, ten);
    const part = await get(url, { Range: "bytes=-4" });
    expect({ status: part.status, bytes: part.bytes }).toEqual({
      status: 206,
      bytes: ten.slice(6),
    });
    const etag = part.headers.get("etag") ?? "";
    expect((await get(url, { "If-None-Match": etag })).status).toBe(304);
    expect((await get(url, { Range: "bytes=99-" })).status).toBe(416);
  });

  it("opens what a browser would run without any rights", async () => {
    const { url } = await givenAsset(deploy, ten, {
      filename: "a.html",
      content_type: "text/html",
    });
    const { headers } = await get(url);
    expect(headers.get("content-security-policy")).toMatch(/^sandbox; default-src 'none'/);
  });

  it.each([
    [
      "spaces, signs and umlauts",
      "Bilder & mehr",
      "grüße #1?.png",
      "Bilder%20%26%20mehr/gr%C3%BC%C3%9Fe%20%231%3F.png",
    ],
    ["percent signs", "100%", "%2e%2e.png", "100%25/%252e%252e.png"],
    ["emoji", "🍵", "茶.png", "%F0%9F%8D%B5/%E8%8C%B6.png"],
    ["slashes too many", "/a//b/", "/c.png", "a/b/c.png"],
    ["no folder", "", "d.png", "d.png"],
  ])("is found whatever its name holds: %s", async (_, folder, filename, path) => {
    const { url } = await givenAsset(deploy, ten, { folder, filename });
    expect(url).toBe(`https://duka.test/cdn/assets/${shop.business.id}/${path}`);
    expect((await get(url)).bytes).toEqual(ten);
  });

  it("is 404 for nothing, for the unconfirmed, and for another business's path", async () => {
    const { url } = await givenAsset(deploy, ten);
    const { url: unconfirmed } = await givenAssetPlace(deploy, 3, { filename: "later.png" });
    const other = await givenBusiness();
    const addresses = [
      unconfirmed,
      `${url}x`,
      url.replace(shop.business.id, other.business.id),
      url.replace(shop.business.id, "biz_unknown"),
      url.replace("tea.png", "%E0%A4%A"),
    ];
    for (const address of addresses) expect((await get(address)).status).toBe(404);
  });

  it("has its own host where the deployment names one", async () => {
    const { url } = await givenAsset(deploy, ten);
    const path = url.slice(url.indexOf("/assets/"));
    expect((await get(`https://cdn.example.com${path}`)).bytes).toEqual(ten);
  });
});

describe("a browser on another origin", () => {
  const origin = "https://shop.example";

  it("may send bytes to an address, whose preflight bears no key", async () => {
    const { address } = await givenPlace(shopper(shop), 10);
    const preflight = await get(
      address,
      {
        Origin: origin,
        "Access-Control-Request-Method": "PUT",
        "Access-Control-Request-Headers": "content-type",
      },
      "OPTIONS",
    );
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-methods")).toContain("PUT");
    expect(preflight.headers.get("access-control-allow-headers")).toContain("Content-Type");
    const sent = await call("PUT", pathOf(address), {
      raw: ten,
      headers: { "Content-Type": "image/png", Origin: origin },
    });
    expect(sent.status).toBe(200);
    expect(sent.headers.get("access-control-allow-origin")).toBe(origin);
  });

  it.each([
    "range",
    "if-range",
    "if-match",
    "if-none-match",
    "if-modified-since",
    "if-unmodified-since",
  ])("may ask for an asset with %s", async (header) => {
    const { url } = await givenAsset(deploy, ten);
    const asked = {
      Origin: origin,
      "Access-Control-Request-Method": "GET",
      "Access-Control-Request-Headers": header,
    };
    const { headers } = await get(url, asked, "OPTIONS");
    const allowed = headers.get("access-control-allow-headers") ?? "";
    expect(allowed.toLowerCase().split(",")).toContain(header);
  });

  it("may read an asset in parts, and no cache gives it an answer made for another", async () => {
    const { url } = await givenAsset(deploy, ten);
    const part = await get(url, { Origin: origin, Range: "bytes=0-1" });
    expect(part.headers.get("access-control-allow-origin")).toBe(origin);
    expect(part.headers.get("access-control-expose-headers")).toMatch(/Content-Range/);
    for (const headers of [{}, { Origin: origin }]) {
      expect((await get(url, headers)).headers.get("vary")).toContain("Origin");
    }
  });
});

describe("the statement of an asset", () => {
  async function planOf({ sql, params }: { sql: string; params: unknown[] }): Promise<string[]> {
    const { results } = await contextFor(shop)
      .db.$client.prepare(`explain query plan ${sql}`)
      .bind(...params)
      .all<{ detail: string }>();
    return results.map(({ detail }) => detail);
  }

  it("look up a path by its index", async () => {
    const { db } = contextFor(shop);
    const at = assetAtQuery(db, { businessId: shop.business.id, path: "a" });
    expect(await planOf(at.toSQL())).toEqual([
      "SEARCH uploads USING INDEX assets_at_path (business_id=? AND path=?)",
    ]);
  });
});
