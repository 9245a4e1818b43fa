import { beforeEach, describe, expect, it } from "vitest";
import { nearestName } from "../../functions/http/unknown-input/nearest-name.ts";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { createEnrolledLogin, createLiveCaller } from "../link/create-logins.ts";
import { createKey } from "../support/create-key.ts";
import { createProduct } from "../support/create-product.ts";
import { refusal, success, valueAt } from "../support/responses.ts";
import { createLoggedInShopper } from "../support/sessions.ts";
import {
  type ApiClient,
  call,
  createBusiness,
  dataOf,
  merchant,
  operator,
  roundTrips,
  shopper,
} from "../support/world.ts";
import { byId, callerOf, listOperations, type Operation } from "./operations.ts";

let shop: CreatedBusiness;

beforeEach(async () => {
  shop = await createBusiness();
});

const unknown = (field: string, message: string) =>
  refusal("VALIDATION_ERROR", { context: { field, issues: [{ field, message }] } });

describe("an unknown query parameter of the business API", () => {
  it("is refused with the nearest known name", async () => {
    const refused = await merchant(shop)("GET", "/orders?limits=5");
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject(
      unknown("limits", "is not a known parameter; did you mean limit?"),
    );
    expect(valueAt(refused, "error.message")).toContain("limits");
  });

  it("is refused with all known names when none is near", async () => {
    expect((await merchant(shop)("GET", "/categories?wide=1")).body).toMatchObject(
      unknown("wide", "is not a known parameter; the known ones are limit, cursor"),
    );
    expect((await merchant(shop)("GET", "?wide=1")).body).toMatchObject(
      unknown("wide", "is not a known parameter; this call takes none"),
    );
  });

  it("is refused in operator calls and on files too", async () => {
    expect((await operator("GET", "/v1/businesses?offset=1")).status).toBe(400);
    const imported = await merchant(shop)("POST", "/imports?dry-run=true", {
      rawBody: "Handle,Title\n",
      headers: { "Content-Type": "text/csv" },
    });
    expect(imported.body).toMatchObject(
      unknown("dry-run", "is not a known parameter; did you mean dry_run?"),
    );
    expect((await merchant(shop)("GET", "/exports/products?limit=1")).status).toBe(400);
  });
});

const businessOperations = (await listOperations()).filter(({ path }) =>
  /^\/v1\/(?:businesses|organizations|operator)/.test(path),
);

describe.each(byId(businessOperations))("%s", (_, operation) => {
  it("refuses an unknown query parameter, and an unknown body field where there is a body", async () => {
    const send = senderOf(operation);
    const path = operation.path
      .replace("{business_id}", shop.business.id)
      .replaceAll(/\{\w+\}/g, "none");
    expect((await send(operation.method, `${path}?unknown_one=1`)).body).toMatchObject(
      refusal("VALIDATION_ERROR", { context: { field: "unknown_one" } }),
    );
    if (operation.method === "GET" || "multipart/form-data" in operation.content) return;
    if ("application/x-ndjson" in operation.content) return; // its lines are checked one by one
    expect((await send(operation.method, path, { body: { unknown_two: 1 } })).body).toMatchObject(
      refusal("VALIDATION_ERROR", { context: { field: "unknown_two" } }),
    );
  });
});

/** A client with the credential that the operation takes. */
function senderOf(operation: Operation): ApiClient {
  if (operation.security.some((way) => "operatorToken" in way)) return operator;
  const key = callerOf(operation) === "build" ? shop.keys.deploy : shop.keys.secret;
  return (method, path, options) =>
    call(method, path, { ...options, headers: { "X-API-Key": key } });
}

describe("an unknown body field of the business API", () => {
  it.each([
    ["names", "/categories", { names: "Tea" }, "did you mean name?"],
    [
      "defaultPrice",
      "/products",
      { name: "Tea", defaultPrice: "1" },
      "did you mean default_price?",
    ],
    ["price", "/products", { name: "Tea", price: "1" }, "did you mean default_price?"],
    [
      "variants.1.is_defaults",
      "/products",
      { name: "Tea", default_price: "1", variants: [{ name: "S" }, { is_defaults: true }] },
      "did you mean is_default?",
    ],
    [
      "applies_to.id",
      "/deals",
      {
        name: "Off",
        discount_type: "percentage",
        value: "5",
        applies_to: { scope: "order", id: [] },
      },
      "did you mean ids?",
    ],
    [
      "pricing.values",
      "/bundles",
      { name: "Set", components: [], pricing: { type: "percent_off", values: "5" } },
      "did you mean value?",
    ],
    [
      "closures.0.until",
      "/locations",
      { name: "Annex", closures: [{ from: "2030-01-01", until: "2030-01-02" }] },
      "the known ones are from, to, reason",
    ],
  ])("%s of %s is refused with the names that are near", async (field, path, body, hint) => {
    const refused = await merchant(shop)("POST", path, { body });
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject(unknown(field, `is not a known field; ${hint}`));
  });

  it("is refused by a call that takes no body", async () => {
    const refused = await merchant(shop)("DELETE", "/products/prod_none", {
      body: { reason: "sold out" },
    });
    expect(refused.body).toMatchObject(
      unknown("reason", "is not a known field; this call takes none"),
    );
  });

  it("reports all unknown fields, at most twenty", async () => {
    const few = await merchant(shop)("POST", "/categories?a=1", { body: { b: 1, c: 2 } });
    expect(valueAt(few, "error.context.issues")).toMatchObject([
      { field: "a" },
      { field: "b" },
      { field: "c" },
    ]);
    const names = Array.from({ length: 5_000 }, (_, index) => [`f${index}${"x".repeat(100)}`, 1]);
    const many = await merchant(shop)("POST", "/categories", { body: Object.fromEntries(names) });
    expect(valueAt(many, "error.context.issues")).toHaveLength(20);
  });

  it("leaves free objects, maps and their names to the caller", async () => {
    const ask = merchant(shop);
    const free = { any: { thing: [{ at: 1 }] }, __proto__x: true };
    const created = await ask("POST", "/products", {
      body: {
        name: "Assam",
        default_price: "1",
        properties: free,
        variant_axes: [{ name: "size", label: "Size", values: ["S"] }],
        variants: [{ name: "S", axis_values: { size: "S" } }],
      },
    });
    expect(created.body).toMatchObject(success({ properties: free }));
    const fx = { static_rates: { base: "GHS", rates: { USD: "0.1" } } };
    expect((await ask("PATCH", "", { body: { fx } })).status).toBe(200);
  });

  it("treats names of built-in properties as unknown", async () => {
    for (const name of ["__proto__", "constructor", "toString"]) {
      const refused = await merchant(shop)("POST", "/categories", {
        rawBody: `{"name":"Tea","${name}":{"limit":1}}`,
        headers: { "Content-Type": "application/json" },
      });
      expect(refused.body, name).toMatchObject(
        refusal("VALIDATION_ERROR", { context: { field: name } }),
      );
    }
  });

  it("leaves the Idempotency-Key free for the corrected request", async () => {
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    const ask = merchant(shop);
    expect((await ask("POST", "/categories", { headers, body: { names: "Tea" } })).status).toBe(
      400,
    );
    expect((await ask("POST", "/categories", { headers, body: { name: "Tea" } })).status).toBe(201);
  });
});

describe("a field of the record that a PATCH cannot change", () => {
  it.each([
    ["currency", "USD"],
    ["mode", "live"],
    ["default_country", "NG"],
    ["timezone", "Africa/Lagos"],
    ["id", "biz_other"],
    ["locations", []],
  ])("refuses another %s of the business", async (field, value) => {
    const refused = await merchant(shop)("PATCH", "", { body: { name: "Moved", [field]: value } });
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject(unknown(field, "cannot be changed"));
    expect((await merchant(shop)("GET", "")).body).toMatchObject(success({ name: "Test shop" }));
  });

  it("accepts the value that the record has", async () => {
    const ask = merchant(await createBusiness());
    const read = dataOf(await ask("GET", ""));
    const written = await ask("PATCH", "", { body: { ...read, name: "Written back" } });
    expect(written.status).toBe(200);
    expect(written.body).toMatchObject(success({ name: "Written back" }));
  });

  it("refuses a nested one, found by its entry's id", async () => {
    const ask = merchant(shop);
    const variants = [{ name: "S" }, { name: "L" }];
    const body = { name: "Sencha", default_price: "1", variants };
    const product = dataOf(await ask("POST", "/products", { body }));
    const one = `/products/${product.id}`;
    const turned = product.variants.toReversed();
    expect((await ask("PATCH", one, { body: { variants: turned } })).status).toBe(200);
    const [first, ...others] = turned;
    const moved = [{ ...first, product_id: "prod_other" }, ...others];
    expect((await ask("PATCH", one, { body: { variants: moved } })).body).toMatchObject(
      unknown("variants.0.product_id", "cannot be changed"),
    );
  });

  it("does not hide an unknown field behind many fields of the record", async () => {
    const ask = merchant(shop);
    const variants = Array.from({ length: 30 }, (_, index) => ({ name: `Size ${index}` }));
    const body = { name: "Oolong", default_price: "1", variants };
    const product = dataOf(await ask("POST", "/products", { body }));
    const one = `/products/${product.id}`;
    expect((await ask("PATCH", one, { body: product })).status).toBe(200);
    expect((await ask("PATCH", one, { body: { ...product, colour: "green" } })).body).toMatchObject(
      refusal("VALIDATION_ERROR", { context: { field: "colour" } }),
    );
    const last = { ...product.variants.at(-1), product_id: "prod_other" };
    const changed = { variants: [...product.variants.slice(0, -1), last] };
    expect((await ask("PATCH", one, { body: changed })).body).toMatchObject(
      unknown("variants.29.product_id", "cannot be changed"),
    );
  });

  it("ignores times and counters, which may have changed since the record was read", async () => {
    const ask = merchant(shop);
    const { id } = dataOf(await ask("POST", "/categories", { body: { name: "Counted" } }));
    const body = { product_count: 7, sort_order: 2 };
    expect((await ask("PATCH", `/categories/${id}`, { body })).body).toMatchObject(
      success({ product_count: 0, sort_order: 2 }),
    );
  });

  it("is refused with any value when the key may not read", async () => {
    const secret = await createKey(shop, { scopes: ["settings:write"] });
    const ask = merchant({ ...shop, keys: { ...shop.keys, secret } });
    expect((await ask("PATCH", "", { body: { currency: "GHS" } })).body).toMatchObject(
      unknown("currency", "cannot be changed"),
    );
  });

  it("is 404 with the record of another business", async () => {
    const body = { currency: "USD" };
    expect((await merchant(shop)("PATCH", "/products/prod_none", { body })).status).toBe(404);
  });

  it("counts the round trips of its comparison, and makes none without such a field", async () => {
    const ask = merchant(await createBusiness());
    await ask("GET", ""); // now the key is known
    const plain = await ask("PATCH", "", { body: { name: "One" } });
    const compared = await ask("PATCH", "", { body: { name: "Two", currency: "GHS" } });
    expect(roundTrips(compared).d1).toBe(roundTrips(plain).d1 + 1);
  });

  it("replays a write-back with the same Idempotency-Key", async () => {
    const ask = merchant(shop);
    const body = { name: "Matcha", default_price: "1", images: [{ url: "/a.png" }] };
    const product = dataOf(await ask("POST", "/products", { body }));
    const write = {
      headers: { "Idempotency-Key": crypto.randomUUID() },
      body: { ...product, images: [{ url: "/b.png" }] },
    };
    const first = await ask("PATCH", `/products/${product.id}`, write);
    const second = await ask("PATCH", `/products/${product.id}`, write);
    expect(first.body).toMatchObject(success({ image_url: "/b.png" }));
    expect(second).toMatchObject({ status: 200, body: first.body });
  });
});

describe("unknown input of the storefront API", () => {
  const listed = (names: string) => `299 - "Ignored unknown input: ${names}"`;

  it("is ignored and named in a Warning header in test mode", async () => {
    const product = await createProduct(shop);
    const added = await shopper(shop)("POST", "/cart/items?fast=1", {
      body: { item_id: product.id, quantities: 3, add_on_options: [] },
    });
    expect(added.body).toMatchObject(success({ item_count: 1 }));
    expect(added.headers.get("warning")).toBe(listed("query.fast, body.quantities"));
    const read = await shopper(shop)("GET", "/cart");
    expect(read.headers.get("warning")).toBeNull();
  });

  it("is named in every response, from the cache too", async () => {
    await createProduct(shop);
    const path = "/catalogue/products?limit=3&colour=green";
    for (const _ of [1, 2, 3]) {
      const read = await shopper(shop)("GET", path);
      expect(read.headers.get("warning")).toBe(listed("query.colour"));
    }
  });

  it("is named without the characters that a header must not have, and at most ten times", async () => {
    const names = Array.from({ length: 12 }, (_, index) => `n${index}\r\nX-Evil: "1"\ud800é,`);
    const body = { contact: "0241234567", ...Object.fromEntries(names.map((one) => [one, 1])) };
    const sent = await shopper(shop)("POST", "/auth/request-otp", { body });
    const warning = sent.headers.get("warning") ?? "";
    expect(warning).toMatch(
      /^299 - "Ignored unknown input: (?:body\.[\w.?-]+(?:, )?){10} and more"$/,
    );
    expect(sent.headers.get("x-evil")).toBeNull();
    const long = await shopper(shop)("GET", `/business?${"x".repeat(5_000)}=1`);
    expect(long.headers.get("warning")).toBe(listed(`query.${"x".repeat(64)}`));
  });

  it("is not named in live mode", async () => {
    const live = await createBusiness({ mode: "live" });
    const read = await shopper(live)("GET", "/business?wide=1");
    expect(read.status).toBe(200);
    expect(read.headers.get("warning")).toBeNull();
  });

  it("is readable for pages of other origins", async () => {
    const read = await shopper(shop)("GET", "/business?wide=1", {
      headers: { Origin: "https://shop.example" },
    });
    expect(read.headers.get("access-control-expose-headers")).toContain("Warning");
  });

  it("is named in calls with a secret key and a customer's session", async () => {
    const read = await call("GET", "/api/v1/webhooks?wide=1", {
      headers: { "X-API-Key": shop.keys.secret },
    });
    expect(read.headers.get("warning")).toBe(listed("query.wide"));
    const { ask } = await createLoggedInShopper(shop);
    expect((await ask("GET", "/orders?stat=1")).headers.get("warning")).toBe(listed("query.stat"));
  });
});

describe("unknown input of the Link API", () => {
  it("is named in calls and in the pages of the elements", async () => {
    const sent = await call("POST", "/v1/link/check-status?wide=1", {
      headers: { "X-Public-Key": shop.keys.publishable },
      body: { contact: "ama@shop.example", colour: "green" },
    });
    expect(sent.status).toBe(200);
    expect(sent.headers.get("warning")).toBe(
      '299 - "Ignored unknown input: query.wide, body.colour"',
    );
    const query = new URLSearchParams({
      public_key: shop.keys.publishable,
      origin: "https://shop.example",
      wide: "1",
    });
    const page = await call("GET", `/v1/link/elements/auth?${query}`);
    expect(page.headers.get("warning")).toBe('299 - "Ignored unknown input: query.wide"');
  });

  it("is named in calls of a session in test mode, and not of one in live mode", async () => {
    const { ask } = await createEnrolledLogin(shop);
    const listed = await ask("GET", "/addresses?wide=1");
    expect(listed.headers.get("warning")).toBe('299 - "Ignored unknown input: query.wide"');
    const live = await (await createLiveCaller())("GET", "/addresses?wide=1");
    expect(live.status).toBe(200);
    expect(live.headers.get("warning")).toBeNull();
  });
});

describe("the nearest name", () => {
  it.each([
    ["names", "name"],
    ["form", "from"],
    ["minPrice", "min_price"],
    ["min-price", "min_price"],
    ["category", "category_id"],
    ["tag", "tags"],
    ["descriptions", "description"],
  ])("of %s is %s", (name, nearest) => {
    const known = ["tags", "name", "from", "min_price", "max_price", "category_id", "description"];
    expect(nearestName(name, known)).toBe(nearest);
  });

  it.each(["wide", "x", "", "n".repeat(500)])("of %s is none", (name) => {
    expect(nearestName(name, ["name", "sort_by", "limit"])).toBeNull();
  });
});
