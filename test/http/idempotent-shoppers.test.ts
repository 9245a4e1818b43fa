import { beforeEach, describe, expect, it } from "vitest";
import { unseal } from "../../functions/runtime/sealing.ts";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { canonicalJson, sha256 } from "../../shared/kernel/index.ts";
import { givenProduct } from "../support/catalogue.ts";
import { givenSale } from "../support/orders.ts";
import { rowsOf } from "../support/shop-database.ts";
import { type Answer, givenBusiness, shopper } from "../support/world.ts";

let shop: CreatedBusiness;
let ask: ReturnType<typeof shopper>;

beforeEach(async () => {
  shop = await givenBusiness();
  ask = shopper(shop);
});

const headers = { "Idempotency-Key": "key" };
const isReplay = (answer: Answer) => answer.headers.get("Idempotency-Replayed") === "true";

describe("a payment's authorization under an Idempotency-Key", () => {
  const authorized = async (value: string) => {
    const product = await givenProduct(shop);
    const { paymentId } = await givenSale(shop, product.id, { how: "1", ask });
    const body = { payment_id: paymentId, authorization: { type: "otp", value } };
    return {
      paymentId,
      body,
      send: () => ask("POST", "/payments/authorization", { body, headers }),
    };
  };

  it("takes one of its tries, however often a wrong value is repeated", async () => {
    const { paymentId, send } = await authorized("000000");
    const answers = [await send(), await send(), await send(), await send()];
    expect(answers.map(({ status }) => status)).toEqual([422, 422, 422, 422]);
    expect(answers.map(isReplay)).toEqual([false, true, true, true]);
    expect(
      await rowsOf(shop, "select status, failed_attempts from payments where id = ?", paymentId),
    ).toEqual([{ status: "requires_action", failed_attempts: 1 }]);
  });

  it("keeps nothing by which its value could be found out", async () => {
    const { body, send } = await authorized("123456");
    expect((await send()).status).toBe(200);
    const [kept] = await rowsOf(
      shop,
      "select fingerprint from idempotency_keys where business_id = ?",
      shop.business.id,
    );
    expect(kept?.fingerprint).toMatch(/^[0-9a-f]{64}$/);
    expect(kept?.fingerprint).not.toBe(await sha256(canonicalJson(["", body])));
  });
});

describe("a write on an order under an Idempotency-Key", () => {
  const cancelled = async (token?: string) => {
    const product = await givenProduct(shop);
    const sale = await givenSale(shop, product.id, { how: "2", ask });
    const path = `/orders/${sale.id}/cancel?token=${token ?? sale.token}`;
    const send = () => ask("POST", path, { body: {}, headers });
    return { sale, answers: [await send(), await send()] };
  };
  const kept = async (columns: string) =>
    rowsOf(shop, `select ${columns} from idempotency_keys where business_id = ?`, shop.business.id);

  it("keeps an answer that neither the order's session nor its token opens alone", async () => {
    const { sale, answers } = await cancelled();
    expect(answers.map(isReplay)).toEqual([false, true]);
    const [order] = await rowsOf(shop, "select session_id from orders where id = ?", sale.id);
    const [{ body } = { body: "" }] = await kept("body");
    for (const known of [sale.token, String(order?.session_id), `${order?.session_id} 0`])
      await expect(unseal(String(body), known)).rejects.toThrow();
  });

  it("of an empty token is the caller's own", async () => {
    const { answers } = await cancelled("");
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    expect(answers.map(isReplay)).toEqual([false, true]);
    const [{ caller } = { caller: "" }] = await kept("caller");
    expect(caller).not.toBe(await sha256(""));
  });
});

describe("a key of a session", () => {
  const seen = { events: [{ type: "search", query: "tea", result_count: 1 }] };
  const record = (by: typeof ask) => by("POST", "/activity/events", { body: seen, headers });

  it("is another key in another session, and no stranger's", async () => {
    expect(isReplay(await record(ask))).toBe(false); // whose session it begins
    expect(isReplay(await record(ask))).toBe(false);
    expect(isReplay(await record(ask))).toBe(true);
    const other = shopper(shop);
    expect(isReplay(await record(other))).toBe(false); // a stranger's, as above
    const answers = [await record(other), await record(other)];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers.map(isReplay)).toEqual([false, true]);
    expect(
      await rowsOf(shop, "select 1 from idempotency_keys where business_id = ?", shop.business.id),
    ).toHaveLength(2);
  });
});
