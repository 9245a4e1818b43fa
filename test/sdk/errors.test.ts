import { beforeEach, describe, expect, it } from "vitest";
import contract from "../../docs/contract/conventions.md?raw";
import * as sdk from "../../sdk/src/index.ts";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { createProduct } from "../support/create-product.ts";
import { createBusiness } from "../support/world.ts";
import { createMerchant, createShopper } from "./create-clients.ts";
import { answer, createFaultyFetch, type Fault } from "./faulty-fetch.ts";

let created: CreatedBusiness;

beforeEach(async () => {
  created = await createBusiness();
});

/** The error of a call that is answered like this. */
async function errorOf(fault: Fault): Promise<unknown> {
  const { fetch } = createFaultyFetch(fault);
  const shop = createShopper(created, { fetch, retries: 0 });
  return shop.products.get("tea").catch((error: unknown) => error);
}

/** The classes by code, as in the contract. */
const classes: Readonly<Record<string, abstract new (...args: never[]) => sdk.DukaError>> = {
  VALIDATION_ERROR: sdk.ValidationError,
  BAD_REQUEST: sdk.BadRequestError,
  UNAUTHORIZED: sdk.UnauthorizedError,
  FORBIDDEN: sdk.ForbiddenError,
  NOT_FOUND: sdk.NotFoundError,
  NOT_ENROLLED: sdk.NotEnrolledError,
  CONFLICT: sdk.ConflictError,
  BUSINESS_RULE_VIOLATION: sdk.BusinessRuleError,
  RATE_LIMITED: sdk.RateLimitedError,
  INTERNAL: sdk.InternalError,
  SERVICE_UNAVAILABLE: sdk.ServiceUnavailableError,
};

const codes = [...contract.matchAll(/^\| (\d{3}) +\| ([A-Z_]+) +\|/gm)].map(
  ([, status, code]) => [String(code), Number(status)] as const,
);

describe("an error of the service", () => {
  it("has a class for each code of the contract", () => {
    expect(codes.map(([code]) => code)).toEqual(Object.keys(classes));
    expect(new Set(Object.values(classes)).size).toBe(codes.length);
  });

  it.each(codes)("%s is its class, with the facts of the answer", async (code, status) => {
    const context = {
      field: "customer.email",
      issues: [{ field: "customer.email", message: "is required" }],
      rule: "OUT_OF_STOCK",
    };
    const error = { code, message: "No.", retryable: status >= 500, context };
    const thrown = await errorOf(answer(status, { success: false, error }, { "Retry-After": "3" }));
    expect(thrown).toBeInstanceOf(sdk.DukaError);
    expect(Object(thrown).constructor).toBe(classes[code]);
    expect(Object(thrown).name).toBe(Object(thrown).constructor.name);
    expect(thrown).toMatchObject({
      ...{ code, status, message: "No.", retryable: status >= 500 },
      ...{ context, field: context.field, issues: context.issues, rule: context.rule },
      ...{ requestId: "request-of-the-test", retryAfterMs: 3_000 },
    });
  });

  it("without context has none of its facts", async () => {
    const error = { code: "NOT_FOUND", message: "No.", retryable: false };
    expect(await errorOf(answer(404, { success: false, error }))).toMatchObject({
      ...{ context: {}, field: undefined, issues: [], rule: undefined, retryAfterMs: undefined },
    });
  });

  it("with a code of a later version is a DukaError", async () => {
    const error = { code: "TEAPOT", message: "I am one.", retryable: false };
    const thrown = await errorOf(answer(418, { success: false, error }));
    expect(Object(thrown).constructor).toBe(sdk.DukaError);
    expect(thrown).toMatchObject({ code: "TEAPOT", message: "I am one.", status: 418 });
  });
});

describe("an answer of something else", () => {
  it.each<[string, Fault, object]>([
    ["a proxy's page", answer(502, "<h1>Bad gateway</h1>"), { status: 502, retryable: true }],
    ["a firewall's page", answer(403, "<h1>No</h1>"), { status: 403, retryable: false }],
    ["a proxy's limit", answer(429, "Slow down"), { status: 429, retryable: true }],
    ["other JSON", answer(500, { error: "oops" }), { status: 500, retryable: true }],
    ["a JSON null", answer(500, "null", { "Content-Type": "application/json" }), { status: 500 }],
    ["cut JSON", answer(503, '{"err', { "Content-Type": "application/json" }), { status: 503 }],
    ["nothing", answer(504, ""), { status: 504, retryable: true }],
  ])("%s is an error with its status", async (_, fault, facts) => {
    const thrown = await errorOf(fault);
    expect(Object(thrown).constructor).toBe(sdk.DukaError);
    expect(thrown).toMatchObject({ code: "UNKNOWN", ...facts });
    expect(Object(thrown).message).toMatch(/^The service answered with status \d+\.$/);
  });

  it.each<[string, Fault]>([
    ["a page of the network", answer(200, "<h1>Log in to this network</h1>")],
    ["cut JSON", answer(200, '{"success":true,"da', { "Content-Type": "application/json" })],
  ])("%s as a success is none", async (_, fault) => {
    expect(await errorOf(fault)).toBeInstanceOf(sdk.ConnectionError);
  });

  it("is kept as the cause when there was none", async () => {
    const cause = new TypeError("The network is down.");
    const thrown = await errorOf(() => Promise.reject(cause));
    expect(thrown).toBeInstanceOf(sdk.ConnectionError);
    expect(thrown).toMatchObject({ code: "CONNECTION_FAILED", status: 0, cause });
  });
});

describe("an error of a real call", () => {
  it("names the fields, the rule, the record or the key", async () => {
    const { id } = await createProduct(created);
    const shop = createShopper(created);
    const business = createMerchant(created);
    const invalid = business.products.create({ name: "", default_price: "ten" });
    await expect(invalid).rejects.toThrow(sdk.ValidationError);
    await expect(invalid).rejects.toMatchObject({
      field: "name",
      issues: [{ field: "name" }, { field: "default_price" }],
      requestId: expect.stringMatching(/^[\w-]{36}$/),
    });
    const { data: cart } = await shop.cart.addItem({ item_id: id });
    await shop.cart.clear();
    const placing = shop.checkout.placeOrder({
      ...{ cart_id: cart.id, customer: { phone: "0241234567" } },
      payment_method: "cash",
    });
    await expect(placing).rejects.toThrow(sdk.BusinessRuleError);
    await expect(placing).rejects.toMatchObject({ status: 422, rule: "CART_EMPTY" });
    await expect(shop.products.get("no-such-tea")).rejects.toThrow(sdk.NotFoundError);
    await expect(shop.orders.list().page()).rejects.toThrow(sdk.UnauthorizedError);

    const idempotencyKey = "one";
    await shop.cart.addItem({ item_id: id }, { idempotencyKey });
    const reused = shop.cart.addItem({ item_id: id, quantity: 2 }, { idempotencyKey });
    await expect(reused).rejects.toThrow(sdk.ConflictError);
  });
});
