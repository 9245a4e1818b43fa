import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { givenBusiness, roundTrips, shopper } from "../support/world.ts";
import { bytesOf, get, givenUpload } from "./given.ts";

let shop: CreatedBusiness;
let ask: ReturnType<typeof shopper>;

beforeEach(async () => {
  shop = await givenBusiness();
  ask = shopper(shop);
});

const ten = bytesOf(10);

/** A file's address, and what its answer says of it. */
async function givenDownload() {
  const { url } = await givenUpload(ask, ten);
  const { headers } = await get(url);
  const modified = Date.parse(headers.get("last-modified") ?? "");
  const inHttp = (ms: number) => new Date(modified + ms).toUTCString();
  return {
    url,
    etag: headers.get("etag") ?? "",
    modified: inHttp(0),
    before: inHttp(-1_000),
    after: inHttp(60_000),
  };
}

describe("a confirmed upload's url", () => {
  it("gives the bytes to whoever has it, for 7 days and no longer", async () => {
    const start = Date.now();
    vi.setSystemTime(start);
    const { url } = await givenUpload(ask, ten);
    const { status, bytes, headers } = await get(url);
    expect({ status, bytes }).toEqual({ status: 200, bytes: ten });
    expect(roundTrips({ status, headers, body: null })).toMatchObject({ d1: 1, do: 0 });
    vi.setSystemTime(start + 7 * 86_400_000 - 1_000);
    expect((await get(url)).status).toBe(200);
    vi.setSystemTime(start + 7 * 86_400_000 + 1_000);
    expect((await get(url)).status).toBe(403);
  });

  it("bears type, length and tag, runs nothing, and stays out of shared caches", async () => {
    const { url } = await givenUpload(ask, ten, { filename: 'Å "tea";\n.png' });
    const { headers } = await get(url);
    expect(Object.fromEntries(headers)).toMatchObject({
      "content-type": "image/png",
      "content-length": "10",
      "accept-ranges": "bytes",
      etag: expect.stringMatching(/^"\w+"$/),
      "cache-control": "private, no-cache",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "content-disposition":
        "inline; filename=\"_ _tea_;_.png\"; filename*=UTF-8''%C3%85%20%22tea%22%3B%0A.png",
    });
    expect(headers.get("content-security-policy")).toBeNull();
  });

  it.each([
    "text/html",
    "image/svg+xml",
    "application/xhtml+xml",
    "text/xml",
    "image/x+xml",
    "image/png;,text/html",
    "application/x-what",
  ])("has %s saved, and opens it without rights", async (content_type) => {
    const { url } = await givenUpload(ask, ten, { filename: "a", content_type });
    const { headers } = await get(url);
    expect(headers.get("content-type")?.replaceAll(" ", "")).toBe(content_type);
    expect(headers.get("content-disposition")).toMatch(/^attachment; /);
    expect(headers.get("content-security-policy")).toMatch(/^sandbox; default-src 'none'/);
  });

  it("gives parts: 206 with the range, 416 beyond the end", async () => {
    const { url } = await givenUpload(ask, ten);
    const part = await get(url, { Range: "bytes=3-5" });
    expect(part.status).toBe(206);
    expect(part.bytes).toEqual(ten.slice(3, 6));
    expect(part.headers.get("content-range")).toBe("bytes 3-5/10");
    expect(part.headers.get("content-length")).toBe("3");
    const beyond = await get(url, { Range: "bytes=10-" });
    expect(beyond.status).toBe(416);
    expect(beyond.headers.get("content-range")).toBe("bytes */10");
    expect(JSON.parse(new TextDecoder().decode(beyond.bytes))).toMatchObject({
      success: false,
      error: { code: "VALIDATION_ERROR", context: { field: "range" } },
    });
  });

  it("gives the whole when the caller's other parts are of something else", async () => {
    const { url } = await givenUpload(ask, ten);
    const etag = (await get(url)).headers.get("etag") ?? "";
    const mine = await get(url, { Range: "bytes=0-1", "If-Range": etag });
    expect(mine.status).toBe(206);
    const other = await get(url, { Range: "bytes=0-1", "If-Range": '"other"' });
    expect({ status: other.status, bytes: other.bytes }).toEqual({ status: 200, bytes: ten });
  });

  it("is 304 for whoever has it already", async () => {
    const { url } = await givenUpload(ask, ten);
    const etag = (await get(url)).headers.get("etag") ?? "";
    const again = await get(url, { "If-None-Match": `W/${etag}, "x"` });
    expect({ status: again.status, length: again.bytes.length }).toEqual({
      status: 304,
      length: 0,
    });
    expect(again.headers.get("etag")).toBe(etag);
    expect((await get(url, { "If-None-Match": '"x"' })).status).toBe(200);
  });

  it("is 304 for whoever has had it since it changed last, unless they name a tag", async () => {
    const { url, modified, before, after } = await givenDownload();
    const since = async (time: string, more: Record<string, string> = {}) =>
      (await get(url, { "If-Modified-Since": time, ...more })).status;
    expect([await since(modified), await since(after)]).toEqual([304, 304]);
    expect(await since(before)).toBe(200);
    expect(await since(modified, { "If-None-Match": '"x"' })).toBe(200);
    expect([await since("2999-01-01T00:00:00Z"), await since("tomorrow")]).toEqual([200, 200]);
  });

  it("is 412 for whoever means another file than there is", async () => {
    const { url, etag, modified, before } = await givenDownload();
    const statusWith = async (conditions: Record<string, string>) =>
      (await get(url, conditions)).status;
    expect(await statusWith({ "If-Match": '"x"' })).toBe(412);
    expect(await statusWith({ "If-Match": `W/${etag}` })).toBe(412);
    expect(await statusWith({ "If-Match": `"x", ${etag}` })).toBe(200);
    expect(await statusWith({ "If-Match": "*" })).toBe(200);
    expect(await statusWith({ "If-Unmodified-Since": before })).toBe(412);
    expect(await statusWith({ "If-Unmodified-Since": modified })).toBe(200);
    expect(await statusWith({ "If-Match": etag, "If-Unmodified-Since": before })).toBe(200);
    expect(await statusWith({ "If-Match": '"x"', "If-None-Match": etag })).toBe(412);
    expect(await statusWith({ "If-Unmodified-Since": before, "If-None-Match": etag })).toBe(412);
  });

  it.each(["If-Match", "If-Unmodified-Since"])("names %s where that is why", async (name) => {
    const { url, before } = await givenDownload();
    const { status, bytes } = await get(url, { [name]: name === "If-Match" ? '"x"' : before });
    expect(status).toBe(412);
    expect(JSON.parse(new TextDecoder().decode(bytes)).error.context.field).toBe(
      name.toLowerCase(),
    );
  });

  it("tells all of that without the bytes to HEAD", async () => {
    const { url } = await givenUpload(ask, ten);
    const { status, headers, bytes } = await get(url, {}, "HEAD");
    expect({ status, length: bytes.length }).toEqual({ status: 200, length: 0 });
    expect(headers.get("content-type")).toBe("image/png");
    expect(headers.get("content-length")).toBe("10");
  });

  it("has ranges for GET alone: to HEAD it is whole", async () => {
    const { url } = await givenUpload(ask, ten);
    for (const Range of ["bytes=3-5", "bytes=10-"]) {
      const { status, headers } = await get(url, { Range }, "HEAD");
      expect({ status, length: headers.get("content-length") }).toEqual({
        status: 200,
        length: "10",
      });
    }
  });

  it("of an empty file is empty, whole and in its last bytes, and has no other part", async () => {
    const { url } = await givenUpload(ask, bytesOf(0));
    for (const headers of [{}, { Range: "bytes=-5" }]) {
      const { status, bytes } = await get(url, headers);
      expect({ status, length: bytes.length }).toEqual({ status: 200, length: 0 });
    }
    expect((await get(url, { Range: "bytes=0-" })).status).toBe(416);
  });
});
