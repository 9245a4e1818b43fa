import { expect, it } from "vitest";
import { call } from "../support/world.ts";

/** Loads the published schema of a body field, which is named by its path. */
async function loadPublishedField(
  prefix: string,
  operationId: string,
  fields: string,
): Promise<unknown> {
  const document = Object((await call("GET", `${prefix}/openapi.json`)).body);
  const [method = "", path = ""] = operationId.split(" ");
  const { schema } = document.paths[`${prefix}${path}`][method].requestBody.content[
    "application/json"
  ] as { schema: object };
  const resolved = (one: unknown): unknown => {
    const name = /^#\/components\/schemas\/(.+)$/.exec(String(Object(one).$ref))?.[1];
    return name === undefined ? one : document.components.schemas[name];
  };
  return fields
    .split(".")
    .reduce<unknown>((one, field) => resolved(Object(resolved(one)).properties?.[field]), schema);
}

it.each([
  ["/v1/businesses", "post /{business_id}/staff", "hours"],
  ["/v1/businesses", "patch /{business_id}/deals/{deal_id}", "starts_at"],
  ["/api/v1", "post /cart/items", "scheduled_start"],
  ["/api/v1", "post /checkout", "order_type"],
  ["/api/v1", "post /checkout", "address_info"],
  ["/api/v1", "post /checkout", "metadata"],
  ["/v1/link", "post /preferences", "preferred_order_type"],
  ["/v1/link", "post /preferences", "default_address_id"],
])("documents in %s for %s that %s may be null", async (surface, row, field) => {
  expect(Object(await loadPublishedField(surface, row, field)).type).toContain("null");
});

it.each([
  ["patch /{business_id}", "free_delivery_threshold"],
  ["post /{business_id}/deals", "min_order_subtotal"],
  ["patch /{business_id}/deals/{deal_id}", "max_discount"],
  ["post /{business_id}/orders/{order_id}/refunds", "amount"],
])("documents for %s the nullable amount %s as a decimal text or null", async (row, field) => {
  const { type, pattern, example } = Object(await loadPublishedField("/v1/businesses", row, field));
  expect(type).toEqual(["string", "null"]);
  expect(new RegExp(pattern).test(example)).toBe(true);
  expect(new RegExp(pattern).test("12,50")).toBe(false);
});

it("documents an amount that may not be null as a decimal text", async () => {
  const price = await loadPublishedField(
    "/v1/businesses",
    "post /{business_id}/products",
    "default_price",
  );
  expect(price).toMatchObject({ type: "string", pattern: expect.any(String) });
});

it("documents operating hours with their days and times", async () => {
  const week = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
  for (const [row, field] of [
    ["post /{business_id}/staff", "hours"],
    ["post /{business_id}/locations", "operating_hours"],
  ] as const) {
    const { properties } = Object(await loadPublishedField("/v1/businesses", row, field));
    expect(Object.keys(properties)).toEqual(week);
    expect(properties.mon).toMatchObject({ items: { required: ["open", "close"] } });
  }
});
