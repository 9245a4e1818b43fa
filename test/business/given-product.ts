import { expect } from "vitest";
import { rowsOf } from "../support/shop-database.ts";
import { givenBusiness, merchant } from "../support/world.ts";
import { at } from "./given.ts";

/** A product with something in every field. */
export const tea = {
  name: "Thé noir",
  description: "Black tea",
  default_price: "12.50",
  inventory_type: "variant_level",
  featured: true,
  tags: ["hot", "black", "hot"],
  properties: { origin: "Ceylon", caffeine: true },
  taxonomy_id: "food-1",
  images: [{ url: "https://cdn.test/a.png" }, { url: "https://cdn.test/b.png", is_primary: true }],
  variant_axes: [{ name: "size", label: "Size", values: ["S", "L"] }],
  variants: [
    { name: "Small", sku: "T-S", axis_values: { size: "S" } },
    {
      name: "Large",
      sku: "T-L",
      axis_values: { size: "L" },
      price_adjustment: "-1.25",
      is_default: true,
    },
  ],
  add_ons: [
    {
      name: "Milk",
      selection_type: "single",
      is_required: true,
      options: [{ name: "Oat", price: "0.50" }],
    },
  ],
};

type Ask = ReturnType<typeof merchant>;

export const shopAndAsk = async () => {
  const shop = await givenBusiness();
  return { shop, ask: merchant(shop) };
};

/** The tags under which the public's lists have the product. */
export const listedTags = async (shop: Parameters<typeof merchant>[0], id: string) => {
  const query = `select substr(facet, 5) as tag from product_facets
    where product_id = ? and facet like 'tag %' order by facet`;
  return (await rowsOf(shop, query, id)).map(({ tag }) => tag);
};

export async function created(ask: Ask, body: Record<string, unknown> = tea) {
  const answer = await ask("POST", "/products", { body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return { answer, id: String(at(answer, "data.id")) };
}
