import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { accentColors, contrastOf, parse } from "../../functions/pages/theme/accent.ts";
import { createOrderPath } from "../../functions/runtime/order-links.ts";
import { settingsOf } from "../../functions/runtime/settings.ts";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { day } from "../../shared/kernel/index.ts";
import { createBusiness, createBusinessOnSameShard, dataOf, merchant } from "../support/world.ts";
import { createBrowser, linkOf, textOf } from "./browse.ts";

const hostile = `"'><script>alert(1)</script><img src=x onerror=alert(2)>`;

let shop: CreatedBusiness;
let home: string;

beforeAll(async () => {
  shop = await createBusiness({ name: `Shop ${hostile}` });
  home = `/shop/${shop.business.slug}`;
  const ask = merchant(shop);
  const category = dataOf(
    await ask("POST", "/categories", { body: { name: `Kind ${hostile}`, slug: "kind" } }),
  );
  await ask("POST", "/products", {
    body: {
      name: `Thing ${hostile}`,
      slug: "thing",
      description: `About ${hostile}`,
      default_price: "10",
      category_id: category.id,
      images: [{ url: "https://images.example.com/a.png" }],
      variants: [{ name: `Size ${hostile}`, axis_values: {}, is_default: true }],
      add_ons: [
        {
          name: `Extra ${hostile}`,
          selection_type: "multiple",
          is_required: false,
          options: [{ name: `Option ${hostile}`, price: "1" }],
        },
      ],
    },
  });
});

/** A browser with the thing in its cart. */
async function fillCart() {
  const browser = createBrowser();
  const cart = await browser.press(await browser.open(`${home}/products/thing`), "Add to cart");
  return { browser, cart };
}

async function buy() {
  const { browser } = await fillCart();
  const checkout = await browser.open(`${home}/checkout`);
  const fields = { name: `Ama ${hostile}`, email: "ama@example.com", payment_method: "cash" };
  return { browser, checkout, order: await browser.press(checkout, "Place order", { fields }) };
}

it("escapes hostile names on every page, and loads images and styles from known places alone", async () => {
  const { browser, order } = await buy();
  const refused = await browser.press(await browser.open(`${home}/products/thing`), "Add to cart", {
    fields: { quantity: hostile },
  });
  expect(refused.status).toBe(400);
  const paths = ["", "/categories/kind", `/search?q=${encodeURIComponent(hostile)}`];
  const pages = [
    order,
    refused,
    await browser.open(linkOf(order, "Receipt")),
    await browser.open(`${home}/products/thing`),
    await browser.press(refused, "Add to cart", { fields: { quantity: "1" } }),
    await browser.open(`${home}/checkout`),
    await browser.open(`${home}/products/none`),
    ...(await Promise.all(paths.map((path) => browser.open(home + path)))),
  ];
  for (const { html, path, headers } of pages) {
    const markup = html.replace(/"[^"]*"/g, '""'); // what stands in an attribute is no markup
    expect(markup, path).not.toMatch(/<script(?! type="")|<img src=x|<[^>]* on\w+=/);
    const data = /ld\+json">([\s\S]*?)<\/script>/.exec(html)?.[1];
    if (data !== undefined)
      expect(JSON.parse(data)).toMatchObject({ "@context": "https://schema.org" });
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy, path).toContain("default-src 'none'");
    expect(policy).not.toMatch(/script-src|unsafe|\*/);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  }
  const product = pages[3];
  expect(product?.headers.get("content-security-policy")).toContain(
    "img-src 'self' https://images.example.com;",
  );
});

describe("a form", () => {
  it("needs the Origin of this host and the token of its browser", async () => {
    const { browser, cart } = await fillCart();
    const { cart: foreign } = await fillCart();
    const token = new Map(foreign.forms.at(-1)?.fields).get("form_token") ?? "";
    for (const [fields, headers] of [
      [{}, { Origin: "https://evil.example" }],
      [{}, { Origin: "" }],
      [{}, { Origin: "null" }],
      [{ form_token: "" }, {}],
      [{ form_token: token }, {}],
      [{ form_token: `${"0".repeat(32)}` }, {}],
    ] as const) {
      const refused = await browser.press(cart, "Remove", { fields, headers });
      expect(refused.status).toBe(403);
    }
    expect(textOf(await browser.open(`${home}/cart`))).not.toContain("is empty");
    expect(textOf(await browser.press(cart, "Remove"))).toContain("is empty");
  });

  it("is needed for every change of an order too, and may not be huge", async () => {
    const { browser, order } = await buy();
    const headers = { Origin: "https://evil.example" };
    expect((await browser.press(order, "Cancel order", { headers })).status).toBe(403);
    const fields = { notes: "x".repeat(40_000) };
    expect((await browser.press(order, "Cancel order", { fields })).status).toBe(413);
    expect(textOf(await browser.press(order, "Cancel order"))).toContain("Cancelled");
  });
});

it("opens an order to its token alone, and says when a link has expired", async () => {
  const { order } = await buy();
  const visitor = createBrowser();
  expect((await visitor.open(order.path)).status).toBe(200);
  const id = /ord_\w+/.exec(order.path)?.[0] ?? "";
  const other = await createBusinessOnSameShard(shop);
  const link = (businessId: string, now = Date.now()) =>
    createOrderPath(settingsOf(env), { businessId, orderId: id, now });
  expect((await visitor.open(await link(shop.business.id))).status).toBe(200);
  const token = new URL(order.path, "https://duka.test").searchParams.get("token") ?? "";
  const foreign = token.replace(shop.business.id.slice(4), other.business.id.slice(4));
  for (const path of [
    `/orders/${id}`,
    `/orders/${id}?token=${token.slice(0, -1)}x`,
    `/orders/${id}?token=${foreign}`,
    `/orders/ord_none?token=${token}`,
    `/orders/${id}/receipt?token=${foreign}`,
    await link(other.business.id),
  ])
    expect((await visitor.open(path)).status, path).toBe(404);
  const expired = await visitor.open(await link(shop.business.id, Date.now() - 181 * day));
  expect(expired.status).toBe(410);
  expect(textOf(expired)).toContain("This link has expired");
  expect(textOf(expired)).not.toContain("Thing");
});

it("lets caches keep only what is the same for everybody", async () => {
  const visitor = createBrowser();
  const read = async (path: string) => {
    const { headers } = await visitor.open(path);
    return [headers.get("cache-control"), headers.get("set-cookie")];
  };
  expect(await read(home)).toEqual(["public, max-age=30", null]);
  expect(await read(`${home}/sitemap.xml`)).toEqual(["public, max-age=3600", null]);
  expect(await read(`${home}/products/thing`)).toEqual([
    "private, no-store",
    expect.stringMatching(/^__Host-visit=[0-9a-f]{32}; .*HttpOnly; Secure; SameSite=Lax$/),
  ]);
  const { browser } = await fillCart();
  const withCart = await browser.open(home);
  expect(withCart.headers.get("cache-control")).toBe("private, no-store");
  expect(textOf(withCart)).toContain("1 in the cart");
});

it("keeps the carts of two shops of the host apart", async () => {
  const { browser } = await fillCart();
  const other = await createBusiness({ name: "Next door" });
  const body = { name: "Bread", slug: "bread", default_price: "3" };
  await merchant(other)("POST", "/products", { body });
  const page = await browser.open(`/shop/${other.business.slug}/products/bread`);
  expect(textOf(await browser.press(page, "Add to cart"))).not.toContain("Thing");
  expect(textOf(await browser.open(`${home}/cart`))).toContain("Thing");
});

it("derives readable colours from any accent", () => {
  const grounds = { onLight: "#f1f0ec", onDark: "#2b2d2c" } as const;
  const levels = ["00", "33", "66", "99", "cc", "ff"];
  for (const red of levels)
    for (const green of levels)
      for (const blue of levels) {
        const accent = `#${red}${green}${blue}`;
        const colors = accentColors(accent);
        expect(contrastOf(parse(colors.accent), parse(colors.onAccent))).toBeGreaterThanOrEqual(
          4.5,
        );
        for (const name of ["onLight", "onDark"] as const)
          expect(
            contrastOf(parse(colors[name]), parse(grounds[name])),
            accent,
          ).toBeGreaterThanOrEqual(4.5);
      }
});

it("serves its style and a shop's colours under names that change with them", async () => {
  await merchant(shop)("PATCH", "", { body: { appearance: { accent_color: "#ffee00" } } });
  const { business } = await createBusiness({
    name: "Yellow",
    settings: {
      appearance: { logoUrl: "https://logos.example.com/l.png", accentColor: "#ffee00" },
    },
  });
  const page = await createBrowser().open(`/shop/${business.slug}`);
  expect(page.headers.get("content-security-policy")).toContain("https://logos.example.com");
  const styles = [...page.html.matchAll(/rel="stylesheet" href="([^"]+)"/g)].map(
    ([, path = ""]) => path,
  );
  expect(styles).toHaveLength(2);
  for (const path of styles) {
    const style = await createBrowser().open(path);
    expect(style.headers.get("cache-control")).toContain("immutable");
    expect(style.headers.get("content-type")).toContain("text/css");
  }
  expect((await createBrowser().open(styles[1] ?? "")).html).toContain("--on-accent:#000000");
  expect((await createBrowser().open("/shop/-/theme-red.css")).status).toBe(404);
});

it("the pages' Worker has a health check", async () => {
  const response = await createBrowser().open("/shop/-/healthz");
  expect([response.status, response.html]).toEqual([200, '{"status":"ok"}']);
});
