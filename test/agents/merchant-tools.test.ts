import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { createMember } from "../support/console.ts";
import { createKey } from "../support/create-key.ts";
import { createOrder, readRefundedMinor } from "../support/create-order.ts";
import { createShopWithStock } from "../support/create-shop-with-stock.ts";
import { type ApiResponse, call, createBusiness, testAddress } from "../support/world.ts";
import { postMessage, rpcRequest } from "./mcp-client.ts";

let shop: CreatedBusiness;
let product: Product;

beforeEach(async () => {
  ({ shop, product } = await createShopWithStock());
});
afterEach(() => {
  vi.useRealTimers();
});

type Credential = Readonly<Record<string, string>>;

const secretKey = (): Credential => ({ "X-API-Key": shop.keys.secret });

/** Calls a tool and returns its result. */
async function callTool(
  name: string,
  input: object,
  headers: Credential = secretKey(),
): Promise<ToolAnswer> {
  const response = await postMessage("/mcp", rpcRequest("tools/call", { name, arguments: input }), {
    headers,
  });
  const { result } = Object(response.body);
  if (result === undefined) throw new Error(JSON.stringify(response.body));
  return result;
}

// Its structured content has the shape of any tool.
type ToolAnswer = Readonly<{
  isError?: boolean;
  structuredContent: Readonly<Record<string, never>>;
  content: readonly [Readonly<{ text: string }>];
}>;

const listTools = async (headers: Credential, query = ""): Promise<string[]> => {
  const { body } = await postMessage(`/mcp${query}`, rpcRequest("tools/list"), { headers });
  return Object(body).result.tools.map(({ name }: { name: string }) => name);
};

const confirmationOf = ({ structuredContent }: ToolAnswer): string =>
  String(structuredContent.confirmation);

describe("reading and writing", () => {
  test("finds orders and follows the pages", async () => {
    const first = await createOrder(shop, product.id);
    const second = await createOrder(shop, product.id);
    const page = await callTool("listOrders", { limit: 1 });
    const { data } = Object(page.structuredContent);
    expect(data.items).toMatchObject([{ id: second.id }]);
    const next = await callTool("listOrders", { limit: 1, cursor: data.pagination.next_cursor });
    expect(next.structuredContent).toMatchObject({ data: { items: [{ id: first.id }] } });
    expect(JSON.parse(next.content[0].text)).toEqual(next.structuredContent);
  });

  test("changes stock", async () => {
    const [location] = shop.business.locations;
    const input = { product_or_variant_id: product.id, location_id: location?.id };
    await callTool("adjustStockLevel", { ...input, body: { delta: 5, reason: "correction" } });
    const levels = await callTool("listStockLevels", {});
    expect(JSON.stringify(levels.structuredContent)).toContain('"quantity_on_hand":15');
  });

  test("creates a product once when the call is repeated with its key", async () => {
    const input = { body: { name: "Rice", default_price: "7.50" }, idempotency_key: "new-1" };
    const first = await callTool("createProduct", input);
    const second = await callTool("createProduct", input);
    expect(second.structuredContent).toEqual(first.structuredContent);
    const { structuredContent } = await callTool("listProducts", { search: "Rice" });
    expect(Object(structuredContent).data.items).toHaveLength(1);
  });

  test("returns the errors of the API with their text", async () => {
    const invalid = await callTool("createProduct", { body: { name: "" } });
    expect(invalid).toMatchObject({
      isError: true,
      structuredContent: { success: false, error: { code: "VALIDATION_ERROR" } },
    });
    expect(invalid.content[0].text).toContain("default_price");
    const missing = await callTool("getOrder", { order_id: "ord_unknown" });
    expect(missing).toMatchObject({ isError: true, content: [{ text: /No such order/ }] });
  });
});

describe("credentials", () => {
  test.each([
    ["none", {}],
    ["an unknown key", { "X-API-Key": `sk_test_${"0".repeat(40)}` }],
    ["a token of another kind", { Authorization: "Bearer operator-token-for-tests" }],
  ])("refuses %s with 401", async (_, headers) => {
    const response = await postMessage("/mcp", rpcRequest("tools/list"), { headers });
    expect(response).toMatchObject({ status: 401, body: { error: { code: 401 } } });
    expect(response.headers.get("www-authenticate")).toBe('Bearer realm="duka"');
  });

  test("refuses publishable and deploy keys", async () => {
    const deploy = await createKey(shop, { kind: "deploy" });
    for (const headers of [{ "X-Public-Key": shop.keys.publishable }, { "X-API-Key": deploy }])
      expect((await postMessage("/mcp", rpcRequest("ping"), { headers })).status).toBe(401);
  });

  test("takes a bearer key, and shows only the tools of its scopes", async () => {
    const key = await createKey(shop, { scopes: ["orders:read"] });
    const bearer = { Authorization: `Bearer ${key}` };
    const tools = await listTools(bearer);
    expect(tools).toEqual(expect.arrayContaining(["listOrders", "getOrder", "getSalesReport"]));
    expect(tools).not.toContain("cancelOrder");
    expect(await callTool("cancelOrder", { order_id: "ord_1", body: {} }, bearer)).toMatchObject({
      isError: true,
      content: [{ text: /lacks the scope orders:write/ }],
    });
  });

  test("takes the login of a member, who writes only from the service's own pages", async () => {
    const { cookie } = await createMember(shop, "manager");
    const login = { Cookie: cookie, "X-Business-Id": shop.business.id };
    expect(await listTools(login)).toContain("createProduct");
    const input = { body: { name: "Waakye", default_price: "9" } };
    expect(await callTool("createProduct", input, login)).toMatchObject({ isError: true });
    const own = { ...login, Origin: testAddress.origin };
    expect((await callTool("createProduct", input, own)).isError).toBeUndefined();
  });

  test("does not reach another business", async () => {
    const other = await createBusiness();
    const headers = { ...secretKey(), "X-Business-Id": other.business.id };
    expect((await postMessage("/mcp", rpcRequest("ping"), { headers })).status).toBe(403);
    const order = await createOrder(shop, product.id);
    const foreign = { "X-API-Key": other.keys.secret };
    expect(await callTool("getOrder", { order_id: order.id }, foreign)).toMatchObject({
      isError: true,
    });
  });

  test("has no tools for keys, members, accounts of providers and whole exports", async () => {
    const tools = await listTools(secretKey());
    for (const name of ["createKey", "inviteMember", "connectPaymentProvider", "createExport"])
      expect(tools).not.toContain(name);
  });

  test("lists the tools of some sections only", async () => {
    const tools = await listTools(secretKey(), "?sections=inventory,Customer-Groups");
    expect(tools).toContain("setStockLevel");
    expect(tools).toContain("createCustomerGroup");
    expect(tools).not.toContain("listOrders");
  });
});

describe("hostile input", () => {
  test.each([
    ["a path that leads elsewhere", { order_id: ".." }],
    ["a path of dots", { order_id: "." }],
    ["an empty path", { order_id: "" }],
    ["a path that is too long", { order_id: "x".repeat(200) }],
    ["a path that is no text", { order_id: { a: 1 } }],
    ["half a character", { order_id: "\ud800" }],
    ["no path", {}],
    ["an unknown field", { order_id: "ord_1", admin: true }],
    ["a field of a prototype", JSON.parse('{"order_id":"ord_1","__proto__":{}}')],
    ["the business", { order_id: "ord_1", business_id: "biz_1" }],
  ])("refuses %s", async (_, input) => {
    expect(await callTool("getOrder", input)).toMatchObject({ isError: true });
  });

  test.each(["../products", "a/b", "..%2f..", "a?limit=1", "a#b", "..\\.."])(
    "takes %j for an id",
    async (order_id) => {
      expect(await callTool("getOrder", { order_id })).toMatchObject({
        isError: true,
        structuredContent: { error: { code: expect.stringMatching(/NOT_FOUND|VALIDATION_ERROR/) } },
      });
    },
  );

  test("refuses lists in the query, bodies that are no objects and malformed keys", async () => {
    for (const [name, input] of [
      ["listOrders", { status: ["pending"] }],
      ["createProduct", { body: "x" }],
      ["createProduct", { body: null }],
      ["createProduct", { body: [] }],
      ["createProduct", { body: {}, idempotency_key: "a b" }],
      ["createProduct", { body: {}, idempotency_key: 5 }],
    ] as const)
      expect(await callTool(name, input)).toMatchObject({ isError: true });
  });
});

describe("confirmation", () => {
  const refund = (input: object) => callTool("refundOrder", input);

  test("a refund says what it would do, and refunds once with its confirmation", async () => {
    const order = await createOrder(shop, product.id);
    const input = { order_id: order.id, body: { amount: "5" } };
    const described = await refund(input);
    expect(described.structuredContent).toMatchObject({
      done: false,
      input,
      record: { id: order.id, status: "confirmed" },
    });
    expect(await readRefundedMinor(shop, order)).toBe(0);
    const confirmed = { ...input, confirmation: confirmationOf(described) };
    const first = await refund(confirmed);
    expect(first.structuredContent).toMatchObject({ success: true, data: { amount: "5.00" } });
    expect((await refund(confirmed)).structuredContent).toEqual(first.structuredContent);
    expect(await readRefundedMinor(shop, order)).toBe(500);
  });

  test("does not confirm another input, another tool, another key or a changed text", async () => {
    const order = await createOrder(shop, product.id);
    const input = { order_id: order.id, body: { amount: "5" } };
    const confirmation = confirmationOf(await refund(input));
    const other = { "X-API-Key": await createKey(shop) };
    const refused = [
      refund({ ...input, body: { amount: "50" }, confirmation }),
      callTool("cancelOrder", { order_id: order.id, body: { amount: "5" }, confirmation }),
      callTool("refundOrder", { ...input, confirmation }, other),
      refund({ ...input, confirmation: `9${confirmation}` }),
      refund({ ...input, confirmation: "" }),
      refund({ ...input, confirmation: true }),
    ];
    for (const answer of await Promise.all(refused))
      expect(answer).toMatchObject({ isError: true, content: [{ text: /confirmation/ }] });
    expect(await readRefundedMinor(shop, order)).toBe(0);
  });

  test("expires after ten minutes", async () => {
    const order = await createOrder(shop, product.id);
    const input = { order_id: order.id, body: { amount: "5" } };
    vi.useFakeTimers({ toFake: ["Date"] });
    const confirmation = confirmationOf(await refund(input));
    vi.setSystemTime(Date.now() + 11 * 60_000);
    expect(await refund({ ...input, confirmation })).toMatchObject({ isError: true });
  });

  test("is asked for what archives or cancels, and not for other changes", async () => {
    const archived = await callTool("archiveProduct", { product_id: product.id });
    expect(archived.structuredContent).toMatchObject({ done: false, record: { id: product.id } });
    const change = (status: string) =>
      callTool("changeProductStatuses", { body: { product_ids: [product.id], status } });
    expect((await change("archived")).structuredContent).toMatchObject({ done: false });
    expect((await change("inactive")).structuredContent).toMatchObject({ success: true });
  });

  test("is not given for a record that does not exist", async () => {
    expect(await callTool("archiveProduct", { product_id: "prod_unknown" })).toMatchObject({
      isError: true,
      structuredContent: { error: { code: "NOT_FOUND" } },
    });
  });
});

test("counts the calls of a key as the business API does, and once", async () => {
  const headers = secretKey();
  const remaining = ({ headers: sent }: ApiResponse) => Number(sent.get("x-ratelimit-remaining"));
  vi.useFakeTimers({ toFake: ["Date"] });
  const path = `/v1/businesses/${shop.business.id}/orders`;
  const ip = { "CF-Connecting-IP": "192.0.2.77" };
  const before = remaining(await call("GET", path, { headers: { ...headers, ...ip } }));
  await postMessage("/mcp", rpcRequest("tools/call", { name: "listOrders" }), {
    headers: { ...headers, ...ip },
  });
  const after = remaining(await call("GET", path, { headers: { ...headers, ...ip } }));
  expect(before - after).toBe(2);
});
