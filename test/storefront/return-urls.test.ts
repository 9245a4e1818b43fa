import { exports } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { withBindings } from "../support/bindings.ts";
import { createProduct } from "../support/create-product.ts";
import { createBusiness, dataOf, shopper } from "../support/world.ts";

let shop: CreatedBusiness;
let ask: ReturnType<typeof shopper>;
let product: Product;

beforeEach(async () => {
  shop = await createBusiness();
  ask = shopper(shop);
  product = await createProduct(shop, { defaultPriceMinor: 2_500 });
});

async function checkOut(metadata: object, options: object = {}) {
  const { id } = dataOf(await ask("POST", "/cart/items", { body: { item_id: product.id } }));
  const customer = { email: "ama@example.com" };
  return ask("POST", "/checkout", {
    body: { cart_id: id, customer, payment_method: "card", metadata },
    ...options,
  });
}

/** Where the card's page leads after a decision. */
async function returnAddress(metadata: object, decision: "approve" | "decline") {
  const paid = dataOf(await checkOut(metadata));
  const page = paid.next_action.authorization_url;
  const answer = await exports.default.fetch(`${page}/${decision}`, {
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    redirect: "manual",
  });
  return { address: answer.headers.get("location"), paid };
}

describe("the addresses that a card page leads back to", () => {
  it("get the order's id, and keep the shop's query and fragment", async () => {
    const success_url = "https://shop.example/thanks?from=a%20b&x=1+2#top";
    const { address, paid } = await returnAddress({ success_url }, "approve");
    const expected = "https://shop.example/thanks?from=a%20b&x=1+2&order_id=";
    expect(address).toBe(`${expected}${paid.order_id}#top`);
  });

  it("have their placeholders replaced", async () => {
    const cancel_url = "https://shop.example/{ORDER_ID}/again?token={BILL_TOKEN}";
    const { address, paid } = await returnAddress({ cancel_url }, "decline");
    expect(address).toBe(
      `https://shop.example/${paid.order_id}/again?token=${paid.bill_token}&order_id=${paid.order_id}`,
    );
  });

  it("do not get an order_id twice", async () => {
    const success_url = "https://shop.example/?order_id={ORDER_ID}";
    const { address, paid } = await returnAddress({ success_url }, "approve");
    expect(address).toBe(`https://shop.example/?order_id=${paid.order_id}`);
  });

  it.each([
    ["http://shop.example/thanks"],
    ["/thanks"],
    ["shop.example"],
    ["javascript:alert(1)"],
    [""],
    [{ url: "https://shop.example" }],
    [`https://shop.example/${"a".repeat(2_048)}`],
  ])("are 400 unless they are absolute https: %j", async (address) => {
    for (const name of ["success_url", "cancel_url"]) {
      expect(await checkOut({ [name]: address })).toMatchObject({
        status: 400,
        body: { error: { code: "VALIDATION_ERROR", context: { field: `metadata.${name}` } } },
      });
    }
  });

  it("may be http on loopback in development only", async () => {
    const metadata = { success_url: "http://localhost:3000/thanks" };
    expect((await checkOut(metadata)).status).toBe(200);
    const production = {
      ALLOW_LOCAL_WEBHOOKS: "false",
      SMS_PROVIDER: undefined,
      EMAIL_PROVIDER: undefined,
      CONSOLE_TEST_CODES: "false",
    };
    expect(await checkOut(metadata, { fetch: withBindings(production) })).toMatchObject({
      status: 400,
    });
  });
});
