import { describe, expect, it } from "vitest";
import { bakery, bakeryWithMistakes } from "../catalogue/csv/support.ts";
import { auditedActions, tracesOf } from "../support/traces.ts";
import { givenBusiness, merchant, shopper } from "../support/world.ts";
import {
  apparel,
  contentsOf,
  counts,
  fileOf,
  importsOf,
  mugs,
  productRowsOf,
  sent,
} from "./files.ts";
import { at, success } from "./given.ts";

describe("POST /v1/businesses/{business_id}/imports", () => {
  it("puts the products of a file in, with variants, tags, images and stock", async () => {
    const shop = await givenBusiness({ currency: "EUR" });
    const answer = await sent(shop, bakery);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(answer.body).toEqual(
      success({
        import_id: expect.stringMatching(/^imp_/),
        ...counts(8, 0, 0),
        variants: expect.any(Number),
        rows: expect.any(Number),
        rejected: [],
        rejected_total: 0,
      }),
    );
    const rows = await productRowsOf(shop);
    expect(rows.filter(({ variant }) => variant !== null)).toHaveLength(
      Number(at(answer, "data.variants")),
    );
    expect(rows.slice(0, 4)).toMatchObject([
      { slug: "seeded-rye", inventory_type: "tracked", variant: null, quantity_on_hand: 24 },
      { slug: "butter-croissant", inventory_type: "variant_level", quantity_on_hand: 40 },
      { slug: "butter-croissant", quantity_on_hand: 12 },
      { slug: "butter-croissant", quantity_on_hand: 0 },
    ]);
    expect(await importsOf(shop)).toMatchObject([
      { id: at(answer, "data.import_id"), is_dry_run: 0, finished_at: expect.any(Number) },
    ]);
    expect(await auditedActions(shop)).toEqual(["products.imported"]);
    expect(await tracesOf(shop)).toMatchObject({ products: 8, version: 1 });
  });

  it("changes nothing when the same file comes twice", async () => {
    const shop = await givenBusiness({ currency: "EUR" });
    const first = await sent(shop, bakery);
    const before = await contentsOf(shop);
    const answer = await sent(shop, bakery);
    expect(answer.body).toMatchObject(
      success({ ...counts(0, 0, 8), variants: at(first, "data.variants"), rejected: [] }),
    );
    expect(await contentsOf(shop)).toEqual(before);
    expect(await importsOf(shop)).toHaveLength(2);
  });

  it("reports bad rows by line and column, and the rest goes in; twice changes nothing either", async () => {
    const shop = await givenBusiness({ currency: "EUR" });
    const answer = await sent(shop, bakeryWithMistakes);
    expect(answer.body).toMatchObject(
      success({ ...counts(3, 0, 0), rows: 21, rejected_total: 15 }),
    );
    expect(at(answer, "data.rejected.0")).toEqual({
      row: 4,
      field: "Variant Price",
      message: "must be an amount of at least 0, such as 12.50",
    });
    const before = await contentsOf(shop);
    expect((await sent(shop, bakeryWithMistakes)).body).toMatchObject(success(counts(0, 0, 3)));
    expect(await contentsOf(shop)).toEqual(before);
  });

  it.runIf(apparel)("takes an export of Shopify's own, once", async () => {
    const shop = await givenBusiness({ currency: "EUR" });
    const first = await sent(shop, apparel ?? "");
    expect(first.body).toMatchObject(success({ ...counts(20, 0, 0), rows: 22, rejected: [] }));
    const before = await contentsOf(shop);
    expect((await sent(shop, apparel ?? "")).body).toMatchObject(success(counts(0, 0, 20)));
    expect(await contentsOf(shop)).toEqual(before);
  });

  it("answers a dry run with the same counts and writes nothing but that it ran", async () => {
    const shop = await givenBusiness({ currency: "EUR" });
    const before = await contentsOf(shop);
    const dry = await sent(shop, bakeryWithMistakes, "?dry_run=true");
    expect(await contentsOf(shop)).toEqual(before);
    expect(await importsOf(shop)).toMatchObject([
      { is_dry_run: 1, finished_at: expect.any(Number) },
    ]);
    const real = await sent(shop, bakeryWithMistakes);
    expect({ ...Object(at(dry, "data")), import_id: "" }).toEqual({
      ...Object(at(real, "data")),
      import_id: "",
    });
  });

  it("is what the storefront shows, what is not published excepted", async () => {
    const shop = await givenBusiness();
    await sent(
      shop,
      fileOf(
        'tea,Green Tea,"hot, green",true,Title,Default Title,T-1,7,4.50',
        "mug,Mug,,true,Size,Small,M-S,3,9.00",
        "mug,,,,,Large,M-L,0,11.00",
        "plan,Plan,,false,Title,Default Title,,,1.00",
      ),
    );
    const ask = shopper(shop);
    const list = await ask("GET", "/catalogue/products");
    expect(at(list, "data.items")).toMatchObject([{ slug: "mug" }, { slug: "tea" }]);
    const mug = await ask("GET", `/catalogue/products/${at(list, "data.items.0.id")}`);
    expect(mug.body).toMatchObject(
      success({
        name: "Mug",
        default_price: "9.00",
        variant_axes: [{ name: "size", label: "Size", values: ["Small", "Large"] }],
        variants: [
          { name: "Small", sku: "M-S", price_adjustment: "0.00", is_default: true },
          { name: "Large", price_adjustment: "2.00", axis_values: { size: "Large" } },
        ],
      }),
    );
    const tea = await ask("GET", `/catalogue/products/${at(list, "data.items.1.id")}`);
    expect(tea.body).toMatchObject(success({ tags: ["hot", "green"], variants: [] }));
  });

  it("leaves another business alone", async () => {
    const [shop, other] = [await givenBusiness(), await givenBusiness()];
    await sent(other, mugs("S,M-S,3,9.00"));
    const before = await contentsOf(other);
    await sent(shop, mugs("S,M-S,8,12.00", "L,M-L,8,12.00"));
    expect(await contentsOf(other)).toEqual(before);
    expect(await productRowsOf(shop)).toHaveLength(2);
    const answer = await merchant({ ...shop, business: other.business })("POST", "/imports", {
      raw: mugs("S,,1,1.00"),
      headers: { "Content-Type": "text/csv" },
    });
    expect(answer.status).toBe(403);
    expect(await contentsOf(other)).toEqual(before);
  });
});

describe("a form", () => {
  it("brings the file as well", async () => {
    const shop = await givenBusiness({ currency: "EUR" });
    const data = new FormData();
    data.append("note", "the bakery's");
    data.append("file", new File([bakery], "products.csv", { type: "text/csv" }));
    const answer = await merchant(shop)("POST", "/imports", { raw: data });
    expect(answer.body).toMatchObject(success(counts(8, 0, 0)));
  });
});

describe("Idempotency-Key", () => {
  it("answers the import again instead of running it again", async () => {
    const shop = await givenBusiness();
    const ask = () =>
      merchant(shop)("POST", "/imports", {
        raw: mugs("S,M-S,3,9.00"),
        headers: { "Content-Type": "text/csv", "Idempotency-Key": "one" },
      });
    const [first, second] = [await ask(), await ask()];
    expect(second.body).toEqual(first.body);
    expect(second.headers.get("idempotency-replayed")).toBe("true");
    expect(await importsOf(shop)).toHaveLength(1);
  });
});
