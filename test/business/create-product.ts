import { expect } from "vitest";
import { valueAt } from "../support/responses.ts";
import { selectRows } from "../support/select-rows.ts";
import { type ApiClient, createBusiness, merchant } from "../support/world.ts";

/** The body of a product with all fields. */
export const teaFields = {
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

export const createShop = async () => {
  const shop = await createBusiness();
  return { shop, ask: merchant(shop) };
};

/** The product's tags in the index of public lists. */
export const selectTagFacets = async (shop: Parameters<typeof merchant>[0], id: string) => {
  const query = `select substr(facet, 5) as tag from product_facets
    where product_id = ? and facet like 'tag %' order by facet`;
  return (await selectRows(shop, query, id)).map(({ tag }) => tag);
};

export async function postProduct(ask: ApiClient, body: Record<string, unknown> = teaFields) {
  const response = await ask("POST", "/products", { body });
  expect(response.status, JSON.stringify(response.body)).toBe(201);
  return { response, id: String(valueAt(response, "data.id")) };
}
