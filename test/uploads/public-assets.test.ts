import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { assetByPathQuery } from "../../shared/uploads/index.ts";
import { withBindings } from "../support/bindings.ts";
import { call, contextFor, createBusiness, roundTrips, shopper } from "../support/world.ts";
import {
  createAsset,
  createBytes,
  deployCaller,
  getFile,
  pathOfUrl,
  reserveTestAsset,
  reserveTestUpload,
} from "./create-uploads.ts";

let shop: CreatedBusiness;
let deploy: ReturnType<typeof deployCaller>;

beforeEach(async () => {
  shop = await createBusiness();
  deploy = deployCaller(shop);
});

const ten = createBytes(10);

describe("an asset's public URL", () => {
  it("serves the bytes without a key, with type, ETag and a short cache lifetime", async () => {
    const { url } = await createAsset(deploy, ten);
    await getFile(url);
    const { status, headers, bytes } = await getFile(url);
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

  it("is sandboxed on the API's host when assets have a host of their own", async () => {
    const { url } = await createAsset(deploy, ten);
    const fetchFrom = async (origin: string, cdnUrl: string) => {
      const request = new Request<unknown, IncomingRequestCfProperties>(
        `${origin}${new URL(url).pathname}`,
      );
      const { status, headers } = await withBindings({ CDN_URL: cdnUrl })(request);
      return [status, headers.get("Content-Security-Policy")];
    };
    expect(await fetchFrom("https://duka.test", "https://files.test")).toEqual([
      200,
      "sandbox; default-src 'none'",
    ]);
    expect(await fetchFrom("https://files.test", "https://files.test")).toEqual([200, null]);
  });

  it("supports ranges and If-None-Match", async () => {
    const { url } = await createAsset(deploy, ten);
    const part = await getFile(url, { Range: "bytes=-4" });
    expect({ status: part.status, bytes: part.bytes }).toEqual({
      status: 206,
      bytes: ten.slice(6),
    });
    const etag = part.headers.get("etag") ?? "";
    expect((await getFile(url, { "If-None-Match": etag })).status).toBe(304);
    expect((await getFile(url, { Range: "bytes=99-" })).status).toBe(416);
  });

  it("sandboxes types that a browser would run", async () => {
    const { url } = await createAsset(deploy, ten, {
      filename: "a.html",
      content_type: "text/html",
    });
    const { headers } = await getFile(url);
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
    ["repeated slashes", "/a//b/", "/c.png", "a/b/c.png"],
    ["no folder", "", "d.png", "d.png"],
  ])("is found by a name with %s", async (_, folder, filename, path) => {
    const { url } = await createAsset(deploy, ten, { folder, filename });
    expect(url).toBe(`https://duka.test/cdn/assets/${shop.business.id}/${path}`);
    expect((await getFile(url)).bytes).toEqual(ten);
  });

  it("returns 404 for unknown paths, unconfirmed assets and another business's path", async () => {
    const { url } = await createAsset(deploy, ten);
    const { url: unconfirmed } = await reserveTestAsset(deploy, 3, { filename: "later.png" });
    const other = await createBusiness();
    const addresses = [
      unconfirmed,
      `${url}x`,
      url.replace(shop.business.id, other.business.id),
      url.replace(shop.business.id, "biz_unknown"),
      url.replace("tea.png", "%E0%A4%A"),
    ];
    for (const address of addresses) expect((await getFile(address)).status).toBe(404);
  });

  it("is also served from the deployment's CDN host", async () => {
    const { url } = await createAsset(deploy, ten);
    const path = url.slice(url.indexOf("/assets/"));
    expect((await getFile(`https://cdn.example.com${path}`)).bytes).toEqual(ten);
  });
});

describe("a browser on another origin", () => {
  const origin = "https://shop.example";

  it("may PUT bytes to an upload URL; the preflight needs no key", async () => {
    const { address } = await reserveTestUpload(shopper(shop), 10);
    const preflight = await getFile(
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
    const sent = await call("PUT", pathOfUrl(address), {
      rawBody: ten,
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
  ])("may request an asset with %s", async (header) => {
    const { url } = await createAsset(deploy, ten);
    const preflightHeaders = {
      Origin: origin,
      "Access-Control-Request-Method": "GET",
      "Access-Control-Request-Headers": header,
    };
    const { headers } = await getFile(url, preflightHeaders, "OPTIONS");
    const allowed = headers.get("access-control-allow-headers") ?? "";
    expect(allowed.toLowerCase().split(",")).toContain(header);
  });

  it("may read parts of an asset; responses vary by Origin", async () => {
    const { url } = await createAsset(deploy, ten);
    const part = await getFile(url, { Origin: origin, Range: "bytes=0-1" });
    expect(part.headers.get("access-control-allow-origin")).toBe(origin);
    expect(part.headers.get("access-control-expose-headers")).toMatch(/Content-Range/);
    for (const headers of [{}, { Origin: origin }]) {
      expect((await getFile(url, headers)).headers.get("vary")).toContain("Origin");
    }
  });
});

describe("assetByPathQuery", () => {
  async function planOf({ sql, params }: { sql: string; params: unknown[] }): Promise<string[]> {
    const { results } = await contextFor(shop)
      .db.$client.prepare(`explain query plan ${sql}`)
      .bind(...params)
      .all<{ detail: string }>();
    return results.map(({ detail }) => detail);
  }

  it("finds a path by its index", async () => {
    const { db } = contextFor(shop);
    const query = assetByPathQuery(db, { businessId: shop.business.id, path: "a" });
    expect(await planOf(query.toSQL())).toEqual([
      "SEARCH uploads USING INDEX assets_at_path (business_id=? AND path=?)",
    ]);
  });
});
