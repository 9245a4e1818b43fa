import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { dataOf } from "../support/orders.ts";
import { cookieIn, loggedInShopper, logIn } from "../support/sessions.ts";
import { rowsOf } from "../support/shop-database.ts";
import { type Answer, givenBusiness, roundTrips, shopper } from "../support/world.ts";
import { bytesOf, givenPlace, givenUpload, pathOf, picture, put } from "./given.ts";

let shop: CreatedBusiness;
let ask: ReturnType<typeof shopper>;

beforeEach(async () => {
  shop = await givenBusiness();
  ask = shopper(shop);
});

const init = (body: object, headers: Record<string, string> = {}, caller = ask) =>
  caller("POST", "/uploads/init", { body: { ...picture, size_bytes: 3, ...body }, headers });
const confirm = (id: string, caller = ask) =>
  caller("POST", "/uploads/confirm", { body: { upload_id: id } });
const codeOf = ({ body }: Answer) => Object(body).error?.code;

/** The objects that a business has in R2. */
const objects = async (): Promise<string[]> =>
  (await env.FILES.list({ prefix: `${shop.business.id}/` })).objects.map(({ key }) => key);

const three = bytesOf(3);

describe("POST /uploads/init", () => {
  it("answers with a place and an address of this service, without success, in one round trip", async () => {
    const answer = await init({});
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      data: {
        upload_id: expect.stringMatching(/^upl_\w{26}$/),
        upload_url: expect.stringMatching(/^https:\/\/duka\.test\//),
        expires_in_secs: 600,
      },
    });
    expect(cookieIn(answer)).not.toBeNull();
    expect(roundTrips(await init({}))).toMatchObject({ d1: 1, do: 1 });
  });

  it.each([
    ["filename", { filename: "x".repeat(501) }],
    ["filename", { filename: "" }],
    ["filename", { filename: "a\u0000b" }],
    ["filename", { filename: "\ud800.png" }],
    ["content_type", { content_type: `image/${"x".repeat(250)}` }],
    ["content_type", { content_type: "image/png\r\nX-Evil: 1" }],
    ["content_type", { content_type: "imágen/png" }],
    ["size_bytes", { size_bytes: -1 }],
    ["size_bytes", { size_bytes: 26_214_401 }],
    ["size_bytes", { size_bytes: 1.5 }],
    ["size_bytes", { size_bytes: undefined }],
  ])("refuses a wrong %s (%#)", async (field, body) => {
    expect(await init(body)).toMatchObject({
      status: 400,
      body: { success: false, error: { code: "VALIDATION_ERROR", context: { field } } },
    });
  });

  it("takes the longest name and the largest file", async () => {
    const longest = { filename: "x".repeat(500), size_bytes: 26_214_400 };
    expect(await init(longest)).toMatchObject({ status: 200 });
  });

  it("takes no other key than a publishable one", async () => {
    const stranger = (headers: Record<string, string>) =>
      ask("POST", "/uploads/init", { body: { ...picture, size_bytes: 3 }, headers });
    expect(await stranger({ "X-Public-Key": "" })).toMatchObject({ status: 401 });
    expect(await stranger({ "X-Public-Key": shop.keys.deploy })).toMatchObject({ status: 401 });
  });
});

describe("POST /uploads/init with an Idempotency-Key", () => {
  const key = (text: string) => ({ "Idempotency-Key": text });

  it("answers a repeat with the same address, byte for byte", async () => {
    await ask("GET", "/cart");
    const first = await init({}, key("one"));
    const again = await init({}, key("one"));
    expect(again.body).toEqual(first.body);
    expect(again.headers.get("Idempotency-Replayed")).toBe("true");
    expect(first.headers.get("Idempotency-Replayed")).toBeNull();
    expect(roundTrips(again)).toMatchObject({ d1: 1, do: 1 });
    expect((await init({}, key("two"))).body).not.toEqual(first.body);
  });

  it("also when both come at once", async () => {
    await ask("POST", "/activity/events", { body: { events: [] } });
    const [one, other] = await Promise.all([init({}, key("one")), init({}, key("one"))]);
    expect(one?.body).toEqual(other?.body);
    expect(one.status).toBe(200);
  });

  it("is 409 with another file", async () => {
    await init({}, key("one"));
    for (const other of [{ size_bytes: 4 }, { filename: "b" }, { content_type: "image/gif" }]) {
      expect(await init(other, key("one"))).toMatchObject({
        status: 409,
        body: { error: { code: "CONFLICT", retryable: false } },
      });
    }
  });

  it("is another session's own: the same key there is another place", async () => {
    const other = shopper(shop);
    await other("POST", "/activity/events", { body: { events: [] } });
    const first = await init({}, key("one"));
    expect((await init({}, key("one"), other)).body).not.toEqual(first.body);
  });

  it("gets whoever lost the first answer, session and all, the same place by a UUID", async () => {
    const uuid = crypto.randomUUID();
    const lost = shopper(shop);
    const first = await init({}, key(uuid), lost);
    const again = await init({}, key(uuid));
    expect(again.body).toEqual(first.body);
    const { upload_id, upload_url } = dataOf(again);
    await put(upload_url, three);
    expect(await confirm(upload_id)).toMatchObject({ status: 200 });
    // With the cookie that came along, it is still the same key.
    expect((await init({}, key(uuid))).body).toEqual(first.body);
  });

  it("gets a stranger nobody else's place by a key that could be guessed", async () => {
    const first = await init({}, key("upload-1"), shopper(shop));
    const other = await init({}, key("upload-1"), shopper(shop));
    expect(dataOf(other).upload_id).not.toBe(dataOf(first).upload_id);
  });

  it("is free again after 24 hours", async () => {
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
  it("keeps the bytes, needs no key, and answers with their number, in two round trips", async () => {
    const { id, address } = await givenPlace(ask, 3);
    const answer = await put(address, three);
    expect(answer).toMatchObject({ status: 200, body: { data: { upload_id: id, size_bytes: 3 } } });
    expect(roundTrips(answer)).toMatchObject({ d1: 2, do: 0 });
    expect(await objects()).toHaveLength(1);
  });

  it("works once: again is 409, also after the confirmation, and the first bytes stand", async () => {
    const { id, address } = await givenPlace(ask, 3);
    await put(address, three);
    const again = await put(address, bytesOf(3, 11));
    expect(again).toMatchObject({ status: 409, body: { error: { code: "CONFLICT" } } });
    await confirm(id);
    expect(await put(address, three)).toMatchObject({ status: 409 });
    const [key = ""] = await objects();
    const kept = await (await env.FILES.get(key))?.arrayBuffer();
    expect(new Uint8Array(kept ?? new ArrayBuffer())).toEqual(three);
  });

  it("lets one of several at once win, and leaves the bytes of that one alone", async () => {
    const { id, address } = await givenPlace(ask, 40_000);
    const bodies = [2, 3, 5, 7, 11].map((seed) => bytesOf(40_000, seed));
    const answers = await Promise.all(bodies.map((body) => put(address, body)));
    const won = answers.flatMap(({ status }, index) => (status === 200 ? [index] : []));
    expect(won).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(4);
    expect(await objects()).toHaveLength(1);
    const confirmed = await confirm(id);
    const read = await ask("GET", pathOf(dataOf(confirmed).url).replace("/api/v1", ""));
    expect(read.status).toBe(200);
  });

  it("is 409 to a slower one that began earlier, and whose bytes come to nothing", async () => {
    const { id, address } = await givenPlace(ask, 3);
    const held = Promise.withResolvers<void>();
    const slow = put(
      address,
      new ReadableStream({
        async pull(controller) {
          await held.promise;
          controller.enqueue(three);
          controller.close();
        },
      }),
    );
    const begun = async () =>
      (await rowsOf(shop, "select attempts from uploads where id = ?", id))[0]?.attempts;
    await vi.waitUntil(async () => (await begun()) === 1);
    const other = bytesOf(3, 11);
    expect(await put(address, other)).toMatchObject({ status: 200 });
    held.resolve();
    expect(await slow).toMatchObject({ status: 409, body: { error: { code: "CONFLICT" } } });
    const [key = "", ...more] = await objects();
    expect(more).toEqual([]);
    const kept = await (await env.FILES.get(key))?.arrayBuffer();
    expect(new Uint8Array(kept ?? new ArrayBuffer())).toEqual(other);
  });

  it.each([
    ["another type", three, "image/gif"],
    ["too many bytes", bytesOf(4), "image/png"],
    ["too few bytes", bytesOf(2), "image/png"],
    ["no bytes", new Uint8Array(), "image/png"],
  ])("refuses %s, leaves nothing behind, and can be repeated", async (_, bytes, contentType) => {
    const { address } = await givenPlace(ask, 3);
    expect(await put(address, bytes, { contentType })).toMatchObject({
      status: 400,
      body: { error: { code: "VALIDATION_ERROR" } },
    });
    expect(await objects()).toEqual([]);
    expect(await put(address, three)).toMatchObject({ status: 200 });
  });

  it.each([
    ["too many", [3, 2]],
    ["too few", [1, 1]],
    ["none", []],
  ])("counts bytes whose number nobody told: %s are refused", async (_, chunks) => {
    const { address } = await givenPlace(ask, 3);
    expect(await put(address, streamOf(chunks))).toMatchObject({ status: 400 });
    expect(await objects()).toEqual([]);
    expect(await put(address, streamOf([1, 2]))).toMatchObject({ status: 200 });
  });

  it("takes the type whatever its letters and parameters", async () => {
    const { address } = await givenPlace(ask, 3, { content_type: "text/plain" });
    const contentType = "Text/Plain; charset=utf-8";
    expect(await put(address, three, { contentType })).toMatchObject({ status: 200 });
  });

  it("takes an empty file where one was declared", async () => {
    const { id, address } = await givenPlace(ask, 0);
    expect(await put(address, new Uint8Array())).toMatchObject({ status: 200 });
    expect(dataOf(await confirm(id))).toMatchObject({ size_bytes: 0 });
  });

  it("is 403 after 600 seconds, and for an address that nobody signed", async () => {
    const start = Date.now();
    vi.setSystemTime(start);
    const { address } = await givenPlace(ask, 3);
    vi.setSystemTime(start + 599_000);
    // The signature's first letter: the last one has bits that carry nothing.
    const forged = address.replace(/(?<=\.)[^.](?=[^.]*$)/, (one) => (one === "A" ? "B" : "A"));
    for (const other of [forged, address.split("?")[0] ?? "", address.replace("upl_", "upl_0")]) {
      expect(codeOf(await put(other, three))).toBe("FORBIDDEN");
    }
    vi.setSystemTime(start + 601_000);
    expect(await put(address, three)).toMatchObject({
      status: 403,
      body: { success: false, error: { code: "FORBIDDEN", retryable: false } },
    });
    expect(await objects()).toEqual([]);
  });

  it("does not serve for reading, nor the other way round", async () => {
    const { url } = await givenUpload(ask, three);
    expect(codeOf(await put(url, three))).toBe("FORBIDDEN");
    const { address } = await givenPlace(ask, 3);
    const path = pathOf(address).replace("/api/v1", "");
    expect(codeOf(await ask("GET", path))).toBe("FORBIDDEN");
  });
});

describe("POST /uploads/confirm", () => {
  it("answers with the record, again as well, within its round trips", async () => {
    const { id, address } = await givenPlace(ask, 3);
    await put(address, three);
    const first = await confirm(id);
    expect(first.body).toEqual({
      data: { id, url: expect.stringMatching(/^https:/), ...picture, size_bytes: 3 },
    });
    expect(roundTrips(first)).toMatchObject({ d1: 2, do: 1 });
    expect(await confirm(id)).toMatchObject({ status: 200, body: { data: { id } } });
  });

  it("is 400 BAD_REQUEST before the bytes arrived, and when they are gone", async () => {
    const { id, address } = await givenPlace(ask, 3);
    expect(codeOf(await confirm(id))).toBe("BAD_REQUEST");
    await put(address, three);
    await env.FILES.delete(await objects());
    expect(await confirm(id)).toMatchObject({
      status: 400,
      body: { error: { code: "BAD_REQUEST" } },
    });
  });

  it("is 404 for an unknown, another session's, another business's and an expired one", async () => {
    const start = Date.now();
    vi.setSystemTime(start);
    const { id, address } = await givenPlace(ask, 3);
    await put(address, three);
    const unsent = await givenPlace(ask, 3);
    expect(codeOf(await confirm("upl_unknown"))).toBe("NOT_FOUND");
    expect(codeOf(await confirm(id, shopper(shop)))).toBe("NOT_FOUND");
    const foreign = shopper(await givenBusiness());
    await foreign("POST", "/activity/events", { body: { events: [] } });
    expect(codeOf(await confirm(id, foreign))).toBe("NOT_FOUND");
    vi.setSystemTime(start + 601_000);
    expect(codeOf(await confirm(unsent.id))).toBe("NOT_FOUND");
    expect(await confirm(id)).toMatchObject({ status: 200 });
  });

  it("knows who was logged in, and a session that logs in keeps its place", async () => {
    const { id, address } = await givenPlace(ask, 3);
    await put(address, three);
    const { customer } = dataOf(await logIn(ask, "+233241234567"));
    expect(await confirm(id)).toMatchObject({ status: 200 });
    const [row] = await rowsOf(shop, "select customer_id from uploads where id = ?", id);
    expect(row).toEqual({ customer_id: customer.id });
  });

  it("is 404 once the customer has logged out", async () => {
    const { ask: ama, cookie } = await loggedInShopper(shop);
    const { id, address } = await givenPlace(ama, 3);
    await put(address, three);
    await ama("POST", "/auth/logout");
    expect(codeOf(await confirm(id, shopper(shop, cookie)))).toBe("NOT_FOUND");
  });
});

/** A body in pieces, of a length that no header tells. */
function streamOf(sizes: readonly number[]): ReadableStream<Uint8Array> {
  const left = [...sizes];
  return new ReadableStream({
    pull(controller) {
      const size = left.shift();
      if (size === undefined) controller.close();
      else controller.enqueue(bytesOf(size));
    },
  });
}
