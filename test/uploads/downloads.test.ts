import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { createBusiness, roundTrips, shopper } from "../support/world.ts";
import { createBytes, createUpload, getFile } from "./create-uploads.ts";

let shop: CreatedBusiness;
let ask: ReturnType<typeof shopper>;

beforeEach(async () => {
  shop = await createBusiness();
  ask = shopper(shop);
});

const ten = createBytes(10);

/** A file's URL with its validators. */
async function createDownload() {
  const { url } = await createUpload(ask, ten);
  const { headers } = await getFile(url);
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
  it("serves the bytes for 7 days", async () => {
    const start = Date.now();
    vi.setSystemTime(start);
    const { url } = await createUpload(ask, ten);
    const { status, bytes, headers } = await getFile(url);
    expect({ status, bytes }).toEqual({ status: 200, bytes: ten });
    expect(roundTrips({ status, headers, body: null })).toMatchObject({ d1: 1, do: 0 });
    vi.setSystemTime(start + 7 * 86_400_000 - 1_000);
    expect((await getFile(url)).status).toBe(200);
    vi.setSystemTime(start + 7 * 86_400_000 + 1_000);
    expect((await getFile(url)).status).toBe(403);
  });

  it("has type, length and ETag, and is not cached by shared caches", async () => {
    const { url } = await createUpload(ask, ten, { filename: 'Å "tea";\n.png' });
    const { headers } = await getFile(url);
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
  ])("serves %s as an attachment and sandboxed", async (content_type) => {
    const { url } = await createUpload(ask, ten, { filename: "a", content_type });
    const { headers } = await getFile(url);
    expect(headers.get("content-type")?.replaceAll(" ", "")).toBe(content_type);
    expect(headers.get("content-disposition")).toMatch(/^attachment; /);
    expect(headers.get("content-security-policy")).toMatch(/^sandbox; default-src 'none'/);
  });

  it("serves ranges: 206 with the range, 416 after the end", async () => {
    const { url } = await createUpload(ask, ten);
    const part = await getFile(url, { Range: "bytes=3-5" });
    expect(part.status).toBe(206);
    expect(part.bytes).toEqual(ten.slice(3, 6));
    expect(part.headers.get("content-range")).toBe("bytes 3-5/10");
    expect(part.headers.get("content-length")).toBe("3");
    const outOfRange = await getFile(url, { Range: "bytes=10-" });
    expect(outOfRange.status).toBe(416);
    expect(outOfRange.headers.get("content-range")).toBe("bytes */10");
    expect(JSON.parse(new TextDecoder().decode(outOfRange.bytes))).toMatchObject({
      success: false,
      error: { code: "VALIDATION_ERROR", context: { field: "range" } },
    });
  });

  it("serves the whole file when If-Range does not match", async () => {
    const { url } = await createUpload(ask, ten);
    const etag = (await getFile(url)).headers.get("etag") ?? "";
    const mine = await getFile(url, { Range: "bytes=0-1", "If-Range": etag });
    expect(mine.status).toBe(206);
    const other = await getFile(url, { Range: "bytes=0-1", "If-Range": '"other"' });
    expect({ status: other.status, bytes: other.bytes }).toEqual({ status: 200, bytes: ten });
  });

  it("returns 304 when If-None-Match matches", async () => {
    const { url } = await createUpload(ask, ten);
    const etag = (await getFile(url)).headers.get("etag") ?? "";
    const again = await getFile(url, { "If-None-Match": `W/${etag}, "x"` });
    expect({ status: again.status, length: again.bytes.length }).toEqual({
      status: 304,
      length: 0,
    });
    expect(again.headers.get("etag")).toBe(etag);
    expect((await getFile(url, { "If-None-Match": '"x"' })).status).toBe(200);
  });

  it("returns 304 for If-Modified-Since, unless If-None-Match is sent", async () => {
    const { url, modified, before, after } = await createDownload();
    const since = async (time: string, headers: Record<string, string> = {}) =>
      (await getFile(url, { "If-Modified-Since": time, ...headers })).status;
    expect([await since(modified), await since(after)]).toEqual([304, 304]);
    expect(await since(before)).toBe(200);
    expect(await since(modified, { "If-None-Match": '"x"' })).toBe(200);
    expect([await since("2999-01-01T00:00:00Z"), await since("tomorrow")]).toEqual([200, 200]);
  });

  it("returns 412 when If-Match or If-Unmodified-Since fails", async () => {
    const { url, etag, modified, before } = await createDownload();
    const statusWith = async (conditions: Record<string, string>) =>
      (await getFile(url, conditions)).status;
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

  it.each(["If-Match", "If-Unmodified-Since"])("names %s as the failed condition", async (name) => {
    const { url, before } = await createDownload();
    const { status, bytes } = await getFile(url, { [name]: name === "If-Match" ? '"x"' : before });
    expect(status).toBe(412);
    expect(JSON.parse(new TextDecoder().decode(bytes)).error.context.field).toBe(
      name.toLowerCase(),
    );
  });

  it("returns the headers without bytes for HEAD", async () => {
    const { url } = await createUpload(ask, ten);
    const { status, headers, bytes } = await getFile(url, {}, "HEAD");
    expect({ status, length: bytes.length }).toEqual({ status: 200, length: 0 });
    expect(headers.get("content-type")).toBe("image/png");
    expect(headers.get("content-length")).toBe("10");
  });

  it("ignores ranges for HEAD", async () => {
    const { url } = await createUpload(ask, ten);
    for (const Range of ["bytes=3-5", "bytes=10-"]) {
      const { status, headers } = await getFile(url, { Range }, "HEAD");
      expect({ status, length: headers.get("content-length") }).toEqual({
        status: 200,
        length: "10",
      });
    }
  });

  it("serves an empty file, and no range of it but its last bytes", async () => {
    const { url } = await createUpload(ask, createBytes(0));
    for (const headers of [{}, { Range: "bytes=-5" }]) {
      const { status, bytes } = await getFile(url, headers);
      expect({ status, length: bytes.length }).toEqual({ status: 200, length: 0 });
    }
    expect((await getFile(url, { Range: "bytes=0-" })).status).toBe(416);
  });
});
