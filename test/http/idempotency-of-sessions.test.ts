import { beforeEach, describe, expect, it, vi } from "vitest";
import { unseal } from "../../functions/runtime/sealing.ts";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { canonicalJson, sha256 } from "../../shared/kernel/index.ts";
import { createCustomer, phoneContact } from "../support/create-customer.ts";
import { createOrder } from "../support/create-order.ts";
import { createProduct } from "../support/create-product.ts";
import { selectRows } from "../support/select-rows.ts";
import { createLoggedInShopper, logIn } from "../support/sessions.ts";
import {
  type ApiResponse,
  createBusiness,
  merchant,
  roundTrips,
  shopper,
} from "../support/world.ts";

let shop: CreatedBusiness;
let ask: ReturnType<typeof shopper>;

beforeEach(async () => {
  shop = await createBusiness();
  ask = shopper(shop);
});

const headers = { "Idempotency-Key": "key" };
const isReplay = (answer: ApiResponse) => answer.headers.get("Idempotency-Replayed") === "true";

describe("a payment's authorization under an Idempotency-Key", () => {
  const prepareAuthorization = async (value: string) => {
    const product = await createProduct(shop);
    const { paymentId } = await createOrder(shop, product.id, { payWith: "1", ask });
    const body = { payment_id: paymentId, authorization: { type: "otp", value } };
    return {
      paymentId,
      body,
      send: () => ask("POST", "/payments/authorization", { body, headers }),
    };
  };

  it("counts one attempt when a wrong value is repeated", async () => {
    const { paymentId, send } = await prepareAuthorization("000000");
    const answers = [await send(), await send(), await send(), await send()];
    expect(answers.map(({ status }) => status)).toEqual([422, 422, 422, 422]);
    expect(answers.map(isReplay)).toEqual([false, true, true, true]);
    expect(
      await selectRows(
        shop,
        "select status, failed_attempts from payments where id = ?",
        paymentId,
      ),
    ).toEqual([{ status: "requires_action", failed_attempts: 1 }]);
  });

  it("stores nothing that reveals the value", async () => {
    const { body, send } = await prepareAuthorization("123456");
    expect((await send()).status).toBe(200);
    const [row] = await selectRows(
      shop,
      "select fingerprint from idempotency_keys where business_id = ?",
      shop.business.id,
    );
    expect(row?.fingerprint).toMatch(/^[0-9a-f]{64}$/);
    expect(row?.fingerprint).not.toBe(await sha256(canonicalJson(["", body])));
  });
});

describe("a write on an order under an Idempotency-Key", () => {
  const cancelOrderTwice = async (token?: string) => {
    const product = await createProduct(shop);
    const sale = await createOrder(shop, product.id, { payWith: "2", ask });
    const path = `/orders/${sale.id}/cancel?token=${token ?? sale.token}`;
    const send = () => ask("POST", path, { body: {}, headers });
    return { sale, answers: [await send(), await send()] };
  };
  const readStoredColumns = async (columns: string) =>
    selectRows(
      shop,
      `select ${columns} from idempotency_keys where business_id = ?`,
      shop.business.id,
    );

  it("seals the response with more than the order's session or token", async () => {
    const { sale, answers } = await cancelOrderTwice();
    expect(answers.map(isReplay)).toEqual([false, true]);
    const [order] = await selectRows(shop, "select session_id from orders where id = ?", sale.id);
    const [{ body } = { body: "" }] = await readStoredColumns("body");
    for (const known of [sale.token, String(order?.session_id), `${order?.session_id} 0`])
      await expect(unseal(String(body), known)).rejects.toThrow();
  });

  it("belongs to the caller when the token is empty", async () => {
    const { answers } = await cancelOrderTwice("");
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers.map(isReplay)).toEqual([false, true]);
    const [{ caller } = { caller: "" }] = await readStoredColumns("caller");
    expect(caller).not.toBe(await sha256(""));
  });
});

describe("an Idempotency-Key of a session", () => {
  const seen = { events: [{ type: "search", query: "tea", result_count: 1 }] };
  const recordSearch = (by: typeof ask) => by("POST", "/activity/events", { body: seen, headers });

  it("is separate for each session and unused before a session exists", async () => {
    expect(isReplay(await recordSearch(ask))).toBe(false); // starts the session
    expect(isReplay(await recordSearch(ask))).toBe(false);
    expect(isReplay(await recordSearch(ask))).toBe(true);
    const other = shopper(shop);
    expect(isReplay(await recordSearch(other))).toBe(false); // has no session yet, as above
    const answers = [await recordSearch(other), await recordSearch(other)];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers.map(isReplay)).toEqual([false, true]);
    expect(
      await selectRows(
        shop,
        "select 1 from idempotency_keys where business_id = ?",
        shop.business.id,
      ),
    ).toHaveLength(2);
  });
});

describe("the replay of a session's response", () => {
  const changeName = (by: typeof ask, more: Record<string, string> = {}) =>
    by("POST", "/auth/profile", { body: { name: "Ama" }, headers: { ...headers, ...more } });
  const endedSession = {
    status: 409,
    body: {
      error: {
        code: "CONFLICT",
        retryable: false,
        message:
          "The Idempotency-Key was used in a session or by a customer whose login has ended. Send a new key.",
      },
    },
  };
  /** A shopper who changed the name once, and a client that sends the cookie of then. */
  const createChangedShopper = async () => {
    const { ask: owner, cookie, customerId } = await createLoggedInShopper(shop);
    expect(isReplay(await changeName(owner))).toBe(false);
    const withOldCookie = () => changeName(shopper(shop), { Cookie: cookie ?? "" });
    return { owner, customerId, withOldCookie };
  };

  it("needs the session's current cookie, and costs a call of its object and a read of the customer", async () => {
    const { owner, withOldCookie } = await createChangedShopper();
    expect(isReplay(await withOldCookie())).toBe(true);
    const again = await changeName(owner);
    expect(isReplay(again)).toBe(true);
    expect(roundTrips(again)).toMatchObject({ d1: 2, do: 1 });
  });

  it("ends with the logout", async () => {
    const { owner, withOldCookie } = await createChangedShopper();
    await owner("POST", "/auth/logout");
    const repeat = await withOldCookie();
    expect(repeat).toMatchObject(endedSession);
    expect(JSON.stringify(repeat.body)).not.toContain("Ama");
  });

  it("ends with the next login of another customer", async () => {
    const { owner, withOldCookie } = await createChangedShopper();
    await logIn(owner, "+233209999999");
    expect(await withOldCookie()).toMatchObject(endedSession);
  });

  it("ends with the erasure of the customer", async () => {
    const { owner, customerId } = await createChangedShopper();
    await merchant(shop)("DELETE", `/customers/${customerId}/data`);
    const repeat = await changeName(owner);
    expect(repeat.status).toBe(409);
    expect(JSON.stringify(repeat.body)).not.toContain("Ama");
  });

  it("ends with the logout for a call that runs before its key is claimed", async () => {
    const { id: productId } = await createProduct(shop);
    const quote = (more: Record<string, string> = {}, by = ask) =>
      by("POST", "/catalogue/quotes", {
        body: { product_id: productId },
        headers: { ...headers, ...more },
      });
    const { ask: owner, cookie } = await createLoggedInShopper(shop);
    expect((await quote({}, owner)).status).toBe(200);
    expect(isReplay(await quote({}, owner))).toBe(true);
    await owner("POST", "/auth/logout");
    expect(await quote({ Cookie: cookie ?? "" }, shopper(shop))).toMatchObject(endedSession);
  });

  it("sets no cookie, even when the session's cookie is due for renewal", async () => {
    const { id } = await createProduct(shop);
    const start = Date.now();
    const add = () => ask("POST", "/cart/items", { body: { item_id: id }, headers });
    vi.setSystemTime(start);
    await ask("GET", "/cart");
    vi.setSystemTime(start + 23 * 3_600_000);
    expect((await add()).headers.get("Set-Cookie")).toBeNull();
    vi.setSystemTime(start + 25 * 3_600_000);
    const again = await add();
    expect(isReplay(again)).toBe(true);
    expect(again.headers.get("Set-Cookie")).toBeNull();
    expect((await ask("GET", "/cart")).headers.get("Set-Cookie")).not.toBeNull();
  });
});

describe("the erasure of a customer", () => {
  const lostAnswer = {
    status: 409,
    body: { error: { message: expect.stringContaining("read what it changed") } },
  };

  it("removes the responses about the customer and their orders, for every caller", async () => {
    const by = merchant(shop);
    const { id } = await createCustomer(shop, phoneContact("+233241234567"));
    const product = await createProduct(shop);
    const sale = await createOrder(shop, product.id, { payWith: "2", ask });
    const other = await createOrder(shop, product.id, {
      payWith: "2",
      fields: { customer: { phone: "0209999999" } },
    });
    await selectRows(shop, "update orders set customer_id = ? where id = ?", id, sale.id);
    const writes = [
      () => by("POST", `/orders/${sale.id}/status`, { body: { status: "confirmed" }, headers }),
      () => ask("POST", `/orders/${sale.id}/cancel?token=${sale.token}`, { body: {}, headers }),
    ];
    const unrelated = () => by("POST", `/orders/${other.id}/cancel`, { body: {}, headers });
    for (const write of [...writes, unrelated]) expect((await write()).status).toBe(200);
    for (const write of [...writes, unrelated]) expect(isReplay(await write())).toBe(true);
    await by("DELETE", `/customers/${id}/data`);
    for (const write of writes) expect(await write()).toMatchObject(lostAnswer);
    expect(isReplay(await unrelated())).toBe(true);
  });
});
