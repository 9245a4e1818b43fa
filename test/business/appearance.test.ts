import { expect, it } from "vitest";
import { refusal, success, valueAt } from "../support/responses.ts";
import { call, createBusiness, merchant, operator, shopper } from "../support/world.ts";

const newBusiness = {
  mode: "test",
  currency: "GHS",
  default_country: "GH",
  timezone: "Africa/Accra",
};

const create = (body: object) =>
  operator("POST", "/v1/businesses", { body: { ...newBusiness, ...body } });

it("draws a slug from the name, and numbers it when it is taken", async () => {
  const [first, second] = [
    await create({ name: "Café Ümlaut" }),
    await create({ name: "Café Ümlaut" }),
  ];
  expect(valueAt(first, "data.business.slug")).toBe("cafe-umlaut");
  expect(valueAt(second, "data.business.slug")).toBe("cafe-umlaut-2");
  expect(valueAt(await create({ name: "上海" }), "data.business.slug")).toBe("shop");
});

it("gives businesses that are created at once different slugs", async () => {
  const created = await Promise.all(Array.from({ length: 4 }, () => create({ name: "Twins" })));
  expect(created.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  expect(new Set(created.map((response) => valueAt(response, "data.business.slug"))).size).toBe(4);
});

it("takes a slug and an appearance, and shows them to shoppers", async () => {
  const appearance = { logo_url: "https://cdn.example.com/logo.png", accent_color: "#AA3300" };
  const created = await create({ name: "Bakery", slug: "the-bakery", appearance });
  expect(created).toMatchObject({
    status: 201,
    body: {
      data: {
        business: {
          slug: "the-bakery",
          appearance: { ...appearance, accent_color: "#aa3300" },
        },
      },
    },
  });
  expect(await create({ name: "Other", slug: "the-bakery" })).toMatchObject({
    status: 409,
    body: refusal("CONFLICT"),
  });
  const headers = { "X-Public-Key": String(valueAt(created, "data.keys.publishable")) };
  expect(await call("GET", "/api/v1/business", { headers })).toMatchObject({
    body: success({ slug: "the-bakery", appearance: { accent_color: "#aa3300" } }),
  });
});

it("changes slug and appearance field by field", async () => {
  const [shop, other] = [await createBusiness(), await createBusiness({ slug: "other-shop" })];
  const ask = merchant(shop);
  expect(await ask("PATCH", "", { body: { slug: other.business.slug } })).toMatchObject({
    status: 409,
  });
  const own = shop.business.slug;
  expect(await ask("PATCH", "", { body: { slug: own } })).toMatchObject({ status: 200 });
  await ask("PATCH", "", { body: { appearance: { accent_color: "#0f766e" } } });
  const logo_url = "https://cdn.example.com/logo.svg";
  const changed = await ask("PATCH", "", { body: { slug: "moved", appearance: { logo_url } } });
  expect(changed.body).toMatchObject(
    success({ slug: "moved", appearance: { logo_url, accent_color: "#0f766e" } }),
  );
  const cleared = await ask("PATCH", "", { body: { appearance: { logo_url: null } } });
  expect(cleared.body).toMatchObject(
    success({ appearance: { logo_url: null, accent_color: "#0f766e" } }),
  );
  const seen = await shopper(shop)("GET", "/business");
  expect(valueAt(seen, "data.id")).toBe(shop.business.id);
});

it.each([
  ["slug", { slug: "Two Words" }],
  ["slug", { slug: "" }],
  ["appearance.logo_url", { appearance: { logo_url: "http://cdn.example.com/logo.png" } }],
  ["appearance.logo_url", { appearance: { logo_url: "javascript:alert(1)" } }],
  ["appearance.accent_color", { appearance: { accent_color: "red" } }],
  ["appearance.accent_color", { appearance: { accent_color: "#12345" } }],
])("refuses a wrong %s", async (field, body) => {
  const shop = await createBusiness();
  expect(await merchant(shop)("PATCH", "", { body })).toMatchObject({
    status: 400,
    body: refusal("VALIDATION_ERROR", { context: { field } }),
  });
});
