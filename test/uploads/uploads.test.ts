import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { selectRows } from "../support/select-rows.ts";
import {
  createLoggedInShopper,
  logIn,
  parseCookieClaims,
  sessionCookieOf,
} from "../support/sessions.ts";
import {
  type ApiResponse,
  call,
  createBusiness,
  dataOf,
  roundTrips,
  shopper,
} from "../support/world.ts";
import {
  createBytes,
  createUpload,
  getFile,
  pathOfUrl,
  pictureFields,
  putBytes,
  reserveTestUpload,
} from "./create-uploads.ts";

let shop: CreatedBusiness;
let ask: ReturnType<typeof shopper>;

beforeEach(async () => {
  shop = await createBusiness();
  ask = shopper(shop);
});

const init = (body: object, headers: Record<string, string> = {}, caller = ask) =>
  caller("POST", "/uploads/init", { body: { ...pictureFields, size_bytes: 3, ...body }, headers });
const confirm = (id: string, caller = ask) =>
  caller("POST", "/uploads/confirm", { body: { upload_id: id } });
const codeOf = ({ body }: ApiResponse) => Object(body).error?.code;

/** The keys of the business's objects in R2. */
const listObjects = async (): Promise<string[]> =>
  (await env.FILES.list({ prefix: `${shop.business.id}/` })).objects.map(({ key }) => key);

const three = createBytes(3);

describe("POST /uploads/init", () => {
  it("returns an upload with an upload_url, without `success`, in one round trip", async () => {
    const answer = await init({});
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      data: {
        upload_id: expect.stringMatching(/^upl_\w{26}$/),
        upload_url: expect.stringMatching(/^https:\/\/duka\.test\//),
        expires_in_secs: 600,
      },
    });
    expect(sessionCookieOf(answer)).not.toBeNull();
    expect(roundTrips(await init({}))).toMatchObject({ d1: 1, do: 1 });
  });

  it.each([
    ["filename", { filename: "x".repeat(501) }],
    ["filename", { filename: "" }],
    ["filename", { filename: "a\u0000b" }],
    ["filename", { filename: "\ud800.png" }],
    ["content_type", { content_type: `image/${"x".repeat(250)}` }],
    ["content_type", { content_type: "image/png\r\nX-Evil: 1" }],
    ["content_type", { content_type: "image/png\nX-Evil: 1" }],
    ["content_type", { content_type: undefined }],
    ["size_bytes", { size_bytes: -1 }],
    ["size_bytes", { size_bytes: 26_214_401 }],
    ["size_bytes", { size_bytes: 1.5 }],
    ["size_bytes", { size_bytes: undefined }],
  ])("rejects an invalid %s (%#)", async (field, body) => {
    expect(await init(body)).toMatchObject({
      status: 400,
      body: { success: false, error: { code: "VALIDATION_ERROR", context: { field } } },
    });
  });

  it("accepts the longest name and the largest file", async () => {
    const longest = { filename: "x".repeat(500), size_bytes: 26_214_400 };
    expect(await init(longest)).toMatchObject({ status: 200 });
  });

  it("requires a publishable key", async () => {
    const initWith = (headers: Record<string, string>) =>
      ask("POST", "/uploads/init", { body: { ...pictureFields, size_bytes: 3 }, headers });
    expect(await initWith({ "X-Public-Key": "" })).toMatchObject({ status: 401 });
    expect(await initWith({ "X-Public-Key": shop.keys.deploy })).toMatchObject({ status: 401 });
  });
});

describe("POST /uploads/init with an Idempotency-Key", () => {
  const key = (text: string) => ({ "Idempotency-Key": text });

  it("returns the same response for a repeated key", async () => {
    await ask("GET", "/cart");
    const first = await init({}, key("one"));
    const again = await init({}, key("one"));
    expect(again.body).toEqual(first.body);
    expect(again.headers.get("Idempotency-Replayed")).toBe("true");
    expect(first.headers.get("Idempotency-Replayed")).toBeNull();
    expect(roundTrips(again)).toMatchObject({ d1: 1, do: 1 });
    expect((await init({}, key("two"))).body).not.toEqual(first.body);
  });

  it("returns the same response for concurrent calls", async () => {
    await ask("POST", "/activity/events", { body: { events: [] } });
    const [one, other] = await Promise.all([init({}, key("one")), init({}, key("one"))]);
    expect(one?.body).toEqual(other?.body);
    expect(one.status).toBe(200);
  });

  it("rejects another file with 409", async () => {
    await init({}, key("one"));
    for (const other of [{ size_bytes: 4 }, { filename: "b" }, { content_type: "image/gif" }]) {
      expect(await init(other, key("one"))).toMatchObject({
        status: 409,
        body: { error: { code: "CONFLICT", retryable: false } },
      });
    }
  });

  it("separates the keys of different sessions", async () => {
    const other = shopper(shop);
    await other("POST", "/activity/events", { body: { events: [] } });
    const first = await init({}, key("one"));
    expect((await init({}, key("one"), other)).body).not.toEqual(first.body);
  });

  it("gives no caller the session of another caller's key, not even for a UUID", async () => {
    const uuid = crypto.randomUUID();
    const first = await init({}, key(uuid), shopper(shop));
    const other = await init({}, key(uuid), shopper(shop));
    expect(other.headers.get("Idempotency-Replayed")).toBeNull();
    expect(dataOf(other).upload_id).not.toBe(dataOf(first).upload_id);
    const sessionOf = (answer: ApiResponse) => parseCookieClaims(sessionCookieOf(answer)).sub;
    expect(sessionOf(other)).not.toBe(sessionOf(first));
  });

  it("recognises the key of the call that started the session", async () => {
    const first = await init({}, key("one"));
    const again = await init({}, key("one"));
    expect(again.body).toEqual(first.body);
    expect(again.headers.get("Idempotency-Replayed")).toBe("true");
  });

  it("accepts a used key again after 24 hours", async () => {
    const start = Date.now();
    vi.setSystemTime(start);
    await ask("POST", "/activity/events", { body: { events: [] } });
    const first = await init({}, key("one"));
    vi.setSystemTime(start + 86_400_000);
    const next = await init({ size_bytes: 9 }, key("one"));
    expect(next.status).toBe(200);
    expect(dataOf(next).upload_id).not.toBe(dataOf(first).upload_id);
  });
});

describe("PUT upload_url", () => {
  it("stores the bytes without a key and returns their number, in two round trips", async () => {
    const { id, address } = await reserveTestUpload(ask, 3);
    const answer = await putBytes(address, three);
    expect(answer).toMatchObject({ status: 200, body: { data: { upload_id: id, size_bytes: 3 } } });
    expect(roundTrips(answer)).toMatchObject({ d1: 2, do: 0 });
    expect(await listObjects()).toHaveLength(1);
  });

  it("accepts bytes once; a repeat is 409 and keeps the first bytes", async () => {
    const { id, address } = await reserveTestUpload(ask, 3);
    await putBytes(address, three);
    const again = await putBytes(address, createBytes(3, 11));
    expect(again).toMatchObject({ status: 409, body: { error: { code: "CONFLICT" } } });
    await confirm(id);
    expect(await putBytes(address, three)).toMatchObject({ status: 409 });
    const [key = ""] = await listObjects();
    const stored = await (await env.FILES.get(key))?.arrayBuffer();
    expect(new Uint8Array(stored ?? new ArrayBuffer())).toEqual(three);
  });

  it("accepts one of several concurrent requests", async () => {
    const { id, address } = await reserveTestUpload(ask, 40_000);
    const bodies = [2, 3, 5, 7, 11].map((seed) => createBytes(40_000, seed));
    const answers = await Promise.all(bodies.map((body) => putBytes(address, body)));
    const accepted = answers.flatMap(({ status }, index) => (status === 200 ? [index] : []));
    expect(accepted).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(4);
    expect(await listObjects()).toHaveLength(1);
    const confirmed = await confirm(id);
    const read = await ask("GET", pathOfUrl(dataOf(confirmed).url).replace("/api/v1", ""));
    expect(read.status).toBe(200);
  });

  it("rejects a slower request that started earlier, and removes its bytes", async () => {
    const { id, address } = await reserveTestUpload(ask, 3);
    const released = Promise.withResolvers<void>();
    const slow = putBytes(
      address,
      new ReadableStream({
        async pull(controller) {
          await released.promise;
          controller.enqueue(three);
          controller.close();
        },
      }),
    );
    const countAttempts = async () =>
      (await selectRows(shop, "select attempts from uploads where id = ?", id))[0]?.attempts;
    await expect.poll(countAttempts).toBe(1);
    const other = createBytes(3, 11);
    expect(await putBytes(address, other)).toMatchObject({ status: 200 });
    released.resolve();
    expect(await slow).toMatchObject({ status: 409, body: { error: { code: "CONFLICT" } } });
    const [key = "", ...others] = await listObjects();
    expect(others).toEqual([]);
    const stored = await (await env.FILES.get(key))?.arrayBuffer();
    expect(new Uint8Array(stored ?? new ArrayBuffer())).toEqual(other);
  });

  it.each([
    ["another type", three, "image/gif"],
    ["too many bytes", createBytes(4), "image/png"],
    ["too few bytes", createBytes(2), "image/png"],
    ["no bytes", new Uint8Array(), "image/png"],
  ])("rejects %s, stores nothing and can be repeated", async (_, bytes, contentType) => {
    const { address } = await reserveTestUpload(ask, 3);
    expect(await putBytes(address, bytes, { contentType })).toMatchObject({
      status: 400,
      body: { error: { code: "VALIDATION_ERROR" } },
    });
    expect(await listObjects()).toEqual([]);
    expect(await putBytes(address, three)).toMatchObject({ status: 200 });
  });

  it.each([
    ["too many", [3, 2]],
    ["too few", [1, 1]],
    ["no", []],
  ])("checks the length of a chunked body: rejects %s bytes", async (_, chunks) => {
    const { address } = await reserveTestUpload(ask, 3);
    expect(await putBytes(address, createStream(chunks))).toMatchObject({ status: 400 });
    expect(await listObjects()).toEqual([]);
    expect(await putBytes(address, createStream([1, 2]))).toMatchObject({ status: 200 });
  });

  it("ignores case and parameters of the content type", async () => {
    const { address } = await reserveTestUpload(ask, 3, { content_type: "text/plain" });
    const contentType = "Text/Plain; charset=utf-8";
    expect(await putBytes(address, three, { contentType })).toMatchObject({ status: 200 });
  });

  it.each(["", "picture", "imágen/png", "image/png é, text/html", "application/x-what"])(
    "accepts the content type %j and stores it",
    async (content_type) => {
      const { id, address } = await reserveTestUpload(ask, 3, { content_type });
      const isSendable = /^[ -~]*$/.test(content_type);
      const sent = isSendable ? { contentType: content_type } : {};
      expect(await putBytes(address, three, sent)).toMatchObject({ status: 200 });
      const confirmed = await ask("POST", "/uploads/confirm", { body: { upload_id: id } });
      const file = dataOf(confirmed);
      expect(file).toMatchObject({ content_type, size_bytes: 3 });
      const { headers, bytes } = await getFile(String(file.url));
      expect(bytes).toEqual(three);
      expect(headers.get("content-type")).toBe(
        content_type === "application/x-what" ? content_type : "application/octet-stream",
      );
      expect(headers.get("content-disposition")).toMatch(/^attachment; /);
      expect(headers.get("content-security-policy")).toMatch(/^sandbox; /);
    },
  );

  it("accepts bytes without a Content-Type when none was declared", async () => {
    const { address } = await reserveTestUpload(ask, 3, { content_type: "" });
    const answer = await call("PUT", pathOfUrl(address), { rawBody: three });
    expect(answer).toMatchObject({ status: 200 });
  });

  it("accepts an empty file if it was declared", async () => {
    const { id, address } = await reserveTestUpload(ask, 0);
    expect(await putBytes(address, new Uint8Array())).toMatchObject({ status: 200 });
    expect(dataOf(await confirm(id))).toMatchObject({ size_bytes: 0 });
  });

  it("returns 403 after 600 seconds and for a forged URL", async () => {
    const start = Date.now();
    vi.setSystemTime(start);
    const { address } = await reserveTestUpload(ask, 3);
    vi.setSystemTime(start + 599_000);
    // Changes the signature's first letter; the last one has unused bits.
    const forged = address.replace(/(?<=\.)[^.](?=[^.]*$)/, (letter) =>
      letter === "A" ? "B" : "A",
    );
    for (const other of [forged, address.split("?")[0] ?? "", address.replace("upl_", "upl_0")]) {
      expect(codeOf(await putBytes(other, three))).toBe("FORBIDDEN");
    }
    vi.setSystemTime(start + 601_000);
    expect(await putBytes(address, three)).toMatchObject({
      status: 403,
      body: { success: false, error: { code: "FORBIDDEN", retryable: false } },
    });
    expect(await listObjects()).toEqual([]);
  });

  it("separates upload URLs from download URLs", async () => {
    const { url } = await createUpload(ask, three);
    expect(codeOf(await putBytes(url, three))).toBe("FORBIDDEN");
    const { address } = await reserveTestUpload(ask, 3);
    const path = pathOfUrl(address).replace("/api/v1", "");
    expect(codeOf(await ask("GET", path))).toBe("FORBIDDEN");
  });
});

describe("POST /uploads/confirm", () => {
  it("returns the file, also when repeated, within its round trips", async () => {
    const { id, address } = await reserveTestUpload(ask, 3);
    await putBytes(address, three);
    const first = await confirm(id);
    expect(first.body).toEqual({
      data: { id, url: expect.stringMatching(/^https:/), ...pictureFields, size_bytes: 3 },
    });
    expect(roundTrips(first)).toMatchObject({ d1: 2, do: 1 });
    expect(await confirm(id)).toMatchObject({ status: 200, body: { data: { id } } });
  });

  it("returns 400 BAD_REQUEST before the bytes arrive and when they are missing", async () => {
    const { id, address } = await reserveTestUpload(ask, 3);
    expect(codeOf(await confirm(id))).toBe("BAD_REQUEST");
    await putBytes(address, three);
    await env.FILES.delete(await listObjects());
    expect(await confirm(id)).toMatchObject({
      status: 400,
      body: { error: { code: "BAD_REQUEST" } },
    });
  });

  it("returns 404 for an unknown, another session's, another business's and an expired upload", async () => {
    const start = Date.now();
    vi.setSystemTime(start);
    const { id, address } = await reserveTestUpload(ask, 3);
    await putBytes(address, three);
    const unsent = await reserveTestUpload(ask, 3);
    expect(codeOf(await confirm("upl_unknown"))).toBe("NOT_FOUND");
    expect(codeOf(await confirm(id, shopper(shop)))).toBe("NOT_FOUND");
    const foreign = shopper(await createBusiness());
    await foreign("POST", "/activity/events", { body: { events: [] } });
    expect(codeOf(await confirm(id, foreign))).toBe("NOT_FOUND");
    vi.setSystemTime(start + 601_000);
    expect(codeOf(await confirm(unsent.id))).toBe("NOT_FOUND");
    expect(await confirm(id)).toMatchObject({ status: 200 });
  });

  it("assigns the file to the customer who logged in with the session", async () => {
    const { id, address } = await reserveTestUpload(ask, 3);
    await putBytes(address, three);
    const { customer } = dataOf(await logIn(ask, "+233241234567"));
    expect(await confirm(id)).toMatchObject({ status: 200 });
    const [row] = await selectRows(shop, "select customer_id from uploads where id = ?", id);
    expect(row).toEqual({ customer_id: customer.id });
  });

  it("returns 404 once the customer has logged out", async () => {
    const { ask: ama, cookie } = await createLoggedInShopper(shop);
    const { id, address } = await reserveTestUpload(ama, 3);
    await putBytes(address, three);
    await ama("POST", "/auth/logout");
    expect(codeOf(await confirm(id, shopper(shop, cookie)))).toBe("NOT_FOUND");
  });
});

/** A chunked body without a Content-Length. */
function createStream(sizes: readonly number[]): ReadableStream<Uint8Array> {
  const remaining = [...sizes];
  return new ReadableStream({
    pull(controller) {
      const size = remaining.shift();
      if (size === undefined) controller.close();
      else controller.enqueue(createBytes(size));
    },
  });
}
