import { beforeEach, describe, expect, it } from "vitest";
import { unseal } from "../../functions/runtime/sealing.ts";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { canonicalJson, sha256 } from "../../shared/kernel/index.ts";
import { createOrder } from "../support/create-order.ts";
import { createProduct } from "../support/create-product.ts";
import { selectRows } from "../support/select-rows.ts";
import { type ApiResponse, createBusiness, shopper } from "../support/world.ts";

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
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
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
