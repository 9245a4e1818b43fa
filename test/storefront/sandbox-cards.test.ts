import { exports } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { sha256 } from "../../shared/kernel/index.ts";
import { createProduct } from "../support/create-product.ts";
import { listOutboxEventTypes } from "../support/select-rows.ts";
import { call, createBusiness, dataOf, roundTrips, shopper } from "../support/world.ts";

let shop: CreatedBusiness;
let ask: ReturnType<typeof shopper>;
let product: Product;

beforeEach(async () => {
  shop = await createBusiness({ name: "Ama & Sons <bakers>" });
  ask = shopper(shop);
  product = await createProduct(shop, { name: "Bread", defaultPriceMinor: 2_500 });
});

const returnUrls = {
  success_url: "https://bakery.example/thanks?from=card",
  cancel_url: "https://bakery.example/again",
};

/** Checks out by card; returns the checkout's data and the path of the card page. */
async function payByCard(metadata: Record<string, unknown> = returnUrls) {
  const { id } = dataOf(await ask("POST", "/cart/items", { body: { item_id: product.id } }));
  const answer = await ask("POST", "/checkout", {
    body: {
      cart_id: id,
      customer: { email: "ama@example.com" },
      payment_method: "card",
      metadata,
    },
  });
  expect(answer.status).toBe(200);
  const data = dataOf(answer);
  return { data, page: new URL(data.next_action.authorization_url).pathname };
}

/** Submits a decision without following the redirect. */
const decide = (page: string, decision: string) =>
  exports.default.fetch(`https://duka.test${page}/${decision}`, {
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    redirect: "manual",
  });

const loadOrder = async ({ order_id, bill_token }: { order_id: string; bill_token: string }) =>
  dataOf(await ask("GET", `/orders/${order_id}?token=${bill_token}`));

describe("a card in test mode", () => {
  it("redirects to a page of this host with an unguessable address", async () => {
    const { data } = await payByCard();
    expect(data).toMatchObject({
      payment_status: "requires_action",
      requires_authorization: false,
      provider: "sandbox",
      next_action: {
        type: "redirect",
        authorization_url: expect.stringMatching(
          /^https:\/\/duka\.test\/api\/v1\/payments\/sandbox\/biz_[0-9a-z]{26}\/ref_[0-9a-f]{40}$/,
        ),
      },
    });
    expect(await loadOrder(data)).toMatchObject({ status: "pending" });
  });

  it("shows only the amount and two buttons, without a key", async () => {
    const { data, page } = await payByCard();
    const answer = await call("GET", page);
    expect(answer.status).toBe(200);
    expect(answer.body).toContain("25.00 GHS");
    expect(answer.body).toContain("Ama &amp; Sons &lt;bakers&gt;");
    expect(answer.body).toContain(data.order_number);
    expect(answer.body).toContain(`<button formaction="${page}/approve">Approve</button>`);
    expect(answer.body).toContain(`<button formaction="${page}/decline">Decline</button>`);
    expect(answer.body).not.toMatch(/<script|ama@example/i);
    expect(answer.body).toMatch(/<html lang="en">/);
    expect(roundTrips(answer).d1).toBeLessThanOrEqual(2);
  });

  it("forbids scripts, frames, caching and foreign forms", async () => {
    const { page } = await payByCard();
    const { headers, body } = await call("GET", page);
    const style = /<style>([^<]*)<\/style>/.exec(String(body))?.[1] ?? "";
    const hash = Uint8Array.from((await sha256(style)).match(/../g) ?? [], (pair) =>
      Number.parseInt(pair, 16),
    );
    expect(headers.get("content-security-policy")).toBe(
      [
        "default-src 'none'",
        `style-src 'sha256-${btoa(String.fromCharCode(...hash))}'`,
        "form-action 'self' https://bakery.example",
        "frame-ancestors 'none'",
        "base-uri 'none'",
      ].join("; "),
    );
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-type")).toMatch(/^text\/html/);
  });

  it("pays the order when approved and redirects to success_url", async () => {
    const { data, page } = await payByCard();
    const answer = await decide(page, "approve");
    expect(answer.status).toBe(303);
    expect(answer.headers.get("location")).toBe(
      `${returnUrls.success_url}&order_id=${data.order_id}`,
    );
    expect(await loadOrder(data)).toMatchObject({
      status: "confirmed",
      payment_status: "succeeded",
    });
    expect(await listOutboxEventTypes(shop)).toEqual([
      "order.created",
      "payment.completed",
      "order.updated",
    ]);
  });

  it("fails the payment when declined and redirects to cancel_url", async () => {
    const { data, page } = await payByCard();
    const answer = await decide(page, "decline");
    expect(answer.status).toBe(303);
    expect(answer.headers.get("location")).toBe(
      `${returnUrls.cancel_url}?order_id=${data.order_id}`,
    );
    expect(await loadOrder(data)).toMatchObject({ status: "pending", payment_status: "failed" });
  });

  it("counts only the first of two decisions", async () => {
    const { data, page } = await payByCard();
    const answers = await Promise.all([decide(page, "approve"), decide(page, "approve")]);
    answers.push(await decide(page, "decline"));
    expect(answers.map(({ headers }) => headers.get("location"))).toEqual(
      Array(3).fill(`${returnUrls.success_url}&order_id=${data.order_id}`),
    );
    expect(await loadOrder(data)).toMatchObject({ payment_status: "succeeded" });
    const completed = (await listOutboxEventTypes(shop)).filter(
      (type) => type === "payment.completed",
    );
    expect(completed).toHaveLength(1);
    expect((await call("GET", page)).body).not.toContain("<button");
  });

  it("shows the result itself when the shop gave no address", async () => {
    const { page } = await payByCard({});
    const answer = await decide(page, "approve");
    expect([answer.status, answer.headers.get("location")]).toEqual([303, page]);
    const shown = await call("GET", page);
    expect(shown.body).toContain("The payment was approved.");
    expect(shown.body).not.toContain("<a ");
  });

  it("is 404 for an unknown reference, another business, a phone charge and an unknown decision", async () => {
    const { page } = await payByCard();
    const foreign = await createBusiness();
    const reference = page.split("/").at(-1);
    const unknownPages = [
      page.replace(/ref_.*/, `ref_${"0".repeat(40)}`),
      page.replace(shop.business.id, foreign.business.id),
      page.replace(shop.business.id, "biz_none"),
      `/api/v1/payments/sandbox/${(await createBusiness({ mode: "live" })).business.id}/${reference}`,
    ];
    for (const page of unknownPages) {
      expect(await call("GET", page)).toMatchObject({ status: 404 });
      expect(await decide(page, "approve")).toMatchObject({ status: 404 });
    }
    expect(await decide(page, "steal")).toMatchObject({ status: 404 });
    expect((await call("GET", page)).body).toContain("<button");
  });
});
