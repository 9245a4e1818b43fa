import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { uniqueEmail, uniquePhone } from "../link/create-logins.ts";
import { withBindings } from "../support/bindings.ts";
import { createProduct } from "../support/create-product.ts";
import { type CallOptions, call, createBusiness } from "../support/world.ts";

const levels = ["log", "info", "warn", "error"] as const;
let spies: readonly MockInstance<(text: string) => void>[];

beforeEach(() => {
  spies = levels.map((level) => vi.spyOn(console, level).mockImplementation(() => {}));
});

afterEach(() => {
  for (const spy of spies) spy.mockRestore();
});

const loggedLines = (): string[] =>
  spies.flatMap((spy) => spy.mock.calls.map((parts) => parts.join(" ")));
const requestLines = () =>
  loggedLines()
    .filter((line) => line.includes('"what":"request"'))
    .map((line) => JSON.parse(line));

type RequestOptions = Pick<CallOptions, "body" | "headers">;

/**
 * Sends a request to a deployment that logs requests; `bindings` replace those of the test
 * environment.
 */
async function send(
  method: string,
  path: string,
  { body, headers }: RequestOptions = {},
  bindings: object = {},
) {
  const response = await call(method, path, {
    body,
    fetch: withBindings({ REQUEST_LOG: "on", ...bindings }),
    headers: { "CF-Connecting-IP": "203.0.113.77", "X-Request-Id": "request-0001", ...headers },
  });
  return { ...response, body: Object(response.body) };
}

/** A client of the storefront API that keeps the session cookie. */
function createShopper({ keys }: CreatedBusiness) {
  let cookie = "";
  return {
    cookie: () => cookie,
    async ask(method: string, path: string, { body, headers }: RequestOptions = {}) {
      const answer = await send(method, `/api/v1${path}`, {
        body,
        headers: { "X-Public-Key": keys.publishable, Cookie: cookie, ...headers },
      });
      cookie = answer.headers.get("set-cookie")?.split(";")[0] ?? cookie;
      return answer;
    },
  };
}

const keyTexts = ({ keys }: CreatedBusiness) => [keys.publishable, keys.secret, keys.deploy];

function assertNotLogged(secrets: readonly string[]): void {
  const lines = loggedLines().join("\n");
  for (const secret of secrets) {
    expect(secret.length, "a secret of the test").toBeGreaterThan(3);
    expect(lines).not.toContain(secret);
    expect(lines).not.toContain(encodeURIComponent(secret));
  }
}

describe("the log line of a request", () => {
  it("has the route, status and cost of a call, and no record identifier", async () => {
    const shop = await createBusiness();
    const product = await createProduct(shop);
    const { ask } = createShopper(shop);
    const answer = await ask("GET", `/catalogue/products/${product.id}?search=ama`);
    expect(answer.status).toBe(200);
    expect(requestLines()).toEqual([
      {
        level: "info",
        what: "request",
        request_id: "request-0001",
        business: shop.business.id,
        key: expect.stringMatching(/^key_/),
        method: "GET",
        route: "/api/v1/catalogue/products/:product_id",
        status: 200,
        duration_ms: expect.any(Number),
        d1: expect.any(Number),
        do: 0,
        lease: expect.any(Number),
      },
    ]);
  });

  it("is written for refused, unknown and cached calls", async () => {
    const shop = await createBusiness();
    const { ask } = createShopper(shop);
    await send("GET", "/api/v1/cart");
    await ask("GET", "/no/such/thing");
    await ask("GET", "/catalogue/categories");
    await ask("GET", "/catalogue/categories");
    expect(requestLines()).toMatchObject([
      { status: 401, business: null, route: "/api/v1/cart" },
      { status: 404, business: shop.business.id },
      { status: 200, route: "/api/v1/catalogue/categories" },
      { status: 200, route: "/api/v1/catalogue/categories", d1: 0 },
    ]);
  });

  it("has no personal data of a login and a checkout", async () => {
    const shop = await createBusiness();
    const product = await createProduct(shop, { defaultPriceMinor: 1_000 });
    const { ask, cookie } = createShopper(shop);
    const contact = uniquePhone();
    const email = uniqueEmail();
    await ask("POST", "/auth/request-otp", { body: { contact } });
    const verified = await ask("POST", "/auth/verify-otp", {
      body: { contact, otp_code: "123456" },
    });
    expect(verified.status).toBe(200);
    const loggedIn = cookie();
    const cart = await ask("POST", "/cart/items", { body: { item_id: product.id } });
    const customer = { name: "Ama Serwaa Mensah", email, phone: contact };
    const sold = await ask("POST", "/checkout", {
      body: {
        cart_id: cart.body.data.id,
        customer,
        payment_method: "mobile_money",
        mobile_money_details: { phone_number: "0249876540", provider: "mtn" },
        address_info: { street_address: "12 Independence Avenue", city: "Accra" },
      },
    });
    expect(sold.status).toBe(200);
    const { order_id, bill_token } = sold.body.data;
    const order = await send("GET", `/api/v1/orders/${order_id}?token=${bill_token}`, {
      headers: { "X-Public-Key": shop.keys.publishable },
    });
    expect(order.status).toBe(200);
    expect(requestLines()).toHaveLength(5);
    assertNotLogged([
      ...keyTexts(shop),
      contact,
      contact.slice(4),
      email,
      customer.name,
      "249876540",
      "Independence",
      "123456",
      loggedIn.split("=")[1] ?? "",
      bill_token,
      "203.0.113.77",
    ]);
  });

  it("is no error for a declined payment, and one for a provider that does not answer", async () => {
    const shop = await createBusiness();
    const product = await createProduct(shop, { defaultPriceMinor: 1_000 });
    for (const phone_number of ["0249876543", "0249876544"]) {
      const { ask } = createShopper(shop);
      const cart = await ask("POST", "/cart/items", { body: { item_id: product.id } });
      const answer = await ask("POST", "/checkout", {
        body: {
          cart_id: cart.body.data.id,
          customer: { phone: phone_number },
          payment_method: "mobile_money",
          mobile_money_details: { phone_number, provider: "mtn" },
        },
      });
      expect(answer.status).toBe(503);
    }
    expect(requestLines().filter(({ route }) => route === "/api/v1/checkout")).toMatchObject([
      { level: "info", status: 503, reason: "PAYMENT_DECLINED" },
      { level: "error", status: 503 },
    ]);
  });

  it("has no personal data of a Link login", async () => {
    const shop = await createBusiness();
    const contact = uniqueEmail();
    const withKey = { "X-Public-Key": shop.keys.publishable };
    await send("POST", "/v1/link/auth/request-otp", { body: { contact }, headers: withKey });
    const { status, body } = await send("POST", "/v1/link/auth/verify-otp", {
      body: { contact, otp_code: "123456" },
      headers: withKey,
    });
    expect(status).toBe(200);
    const bearer = { Authorization: `Bearer ${body.session_token}` };
    await send("POST", "/v1/link/enroll", {
      body: { contact, name: "Kofi Owusu Boateng" },
      headers: { ...withKey, ...bearer },
    });
    await send("GET", "/v1/link/data", { headers: bearer });
    const refreshed = await send("POST", "/v1/link/auth/refresh", {
      body: { refresh_token: body.refresh_token },
    });
    expect(requestLines()).toHaveLength(5);
    assertNotLogged([
      ...keyTexts(shop),
      contact,
      "Kofi",
      "123456",
      body.session_token,
      body.refresh_token,
      refreshed.body.session_token,
      refreshed.body.refresh_token,
    ]);
  });

  it("logs the stack of an internal error without the request's data", async () => {
    const shop = await createBusiness();
    const broken = { EVENTS: undefined, SHOP_1: undefined, SHOP_2: undefined };
    const path = "/api/v1/orders/ord_unknown?token=bt_secret-of-an-order";
    const headers = { "X-Public-Key": shop.keys.publishable };
    const response = await send("GET", path, { headers }, broken);
    expect(response.status).toBe(500);
    expect(loggedLines()).toContainEqual(expect.stringContaining("request failed"));
    expect(requestLines()).toMatchObject([
      { level: "error", status: 500, route: "/api/v1/orders/:order_id" },
    ]);
    assertNotLogged(["bt_secret-of-an-order", "ord_unknown", ...keyTexts(shop)]);
  });
});
