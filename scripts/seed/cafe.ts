import type { Business, BusinessSchemas } from "../../sdk/src/index.ts";
import { demoImages } from "./demo-images.ts";

type Schemas = BusinessSchemas;

const sizes = {
  variant_axes: [{ name: "size", label: "Size", values: ["Small", "Large"] }],
  variants: [
    {
      name: "Small",
      sku: null,
      price_adjustment: "0.00",
      is_default: true,
      axis_values: { size: "Small" },
    },
    {
      name: "Large",
      sku: null,
      price_adjustment: "8.00",
      is_default: false,
      axis_values: { size: "Large" },
    },
  ],
};

const milk = {
  name: "Milk",
  selection_type: "single" as const,
  is_required: true,
  options: [
    { name: "Whole milk", price: "0.00" },
    { name: "Oat milk", price: "6.00" },
    { name: "Tiger-nut milk", price: "5.00" },
  ],
};

const extras = {
  name: "Extras",
  selection_type: "multiple" as const,
  is_required: false,
  options: [
    { name: "Extra shot", price: "7.00" },
    { name: "Honey from Techiman", price: "4.00" },
    { name: "Cinnamon", price: "1.50" },
  ],
};

/**
 * Seeds the café: drinks with sizes and add-ons, food with stock, a bundle and a composite. It has no
 * delivery options, so that a first order needs none.
 */
export async function seedCafe(
  shop: Business,
  { locationId }: { locationId: string },
): Promise<void> {
  const [drinks, food] = await Promise.all([
    createCategory(shop, { name: "Drinks", sort_order: 1, image_url: "/demo/cafe/coffee.svg" }),
    createCategory(shop, { name: "Kitchen", sort_order: 2, image_url: "/demo/cafe/bowl.svg" }),
  ]);
  const [hot, cold] = await Promise.all([
    createCategory(shop, { name: "Hot drinks", parent_id: drinks, sort_order: 1 }),
    createCategory(shop, { name: "Cold drinks", parent_id: drinks, sort_order: 2 }),
  ]);
  const [latte, croissant] = await Promise.all([
    createProduct(shop, {
      name: "House Latte",
      description: "Two shots from the Volta hills, milk steamed until it shines.",
      category_id: hot,
      default_price: "32.00",
      featured: true,
      tags: ["coffee", "milk"],
      images: demoImages("cafe/coffee"),
      add_ons: [milk, extras],
      ...sizes,
    }),
    createStockedProduct(shop, locationId, 40, {
      name: "Butter Croissant",
      description: "Folded at four in the morning, gone by ten.",
      category_id: food,
      default_price: "18.00",
      tags: ["pastry", "breakfast"],
      images: demoImages("cafe/croissant"),
    }),
    createProduct(shop, {
      name: "Slow Cold Brew",
      description: "Eighteen hours in cold water, then over ice with orange peel.",
      category_id: cold,
      default_price: "28.00",
      tags: ["coffee", "cold"],
      images: demoImages("cafe/cold-brew"),
      add_ons: [extras],
      ...sizes,
    }),
    createProduct(shop, {
      name: "Lemongrass Pot",
      description: "A pot for two, cut in the yard behind the house.",
      category_id: hot,
      default_price: "22.00",
      tags: ["tea", "vegan"],
      images: demoImages("cafe/tea"),
    }),
    createStockedProduct(shop, locationId, 12, {
      name: "Kelewele Sandwich",
      description: "Spiced plantain, avocado and pickled onion in toasted bread.",
      category_id: food,
      default_price: "46.00",
      tags: ["lunch", "vegan"],
      images: demoImages("cafe/sandwich"),
    }),
  ]);
  await Promise.all([
    createBreakfastBundle(shop, { categoryId: food, latte, croissant }),
    createLunchBowl(shop, food),
  ]);
}

const createCategory = async (shop: Business, fields: Schemas["CreateCategoryRequest"]) =>
  (await shop.categories.create(fields)).data.id;

type CreatedProduct = Readonly<{ id: string; defaultVariantId: string | null }>;

type DemoProduct = Omit<Schemas["CreateProductRequest"], "product_type">;

async function createProduct(shop: Business, fields: DemoProduct): Promise<CreatedProduct> {
  const { data } = await shop.products.create({ product_type: "product", ...fields });
  const { id, variants } = data;
  return { id, defaultVariantId: variants.find((variant) => variant.is_default)?.id ?? null };
}

async function createStockedProduct(
  shop: Business,
  locationId: string,
  quantity: number,
  fields: DemoProduct,
): Promise<CreatedProduct> {
  const created = await createProduct(shop, { inventory_type: "tracked", ...fields });
  await shop.inventory.setStockLevel(created.id, locationId, { quantity_on_hand: quantity });
  return created;
}

const createBreakfastBundle = (
  shop: Business,
  {
    categoryId,
    latte,
    croissant,
  }: { categoryId: string; latte: CreatedProduct; croissant: CreatedProduct },
) =>
  shop.bundles.create({
    name: "Morning Box",
    description: "A latte and a croissant for less than the two of them.",
    category_id: categoryId,
    default_price: "42.00",
    featured: true,
    images: demoImages("cafe/breakfast-box"),
    components: [
      {
        name: "Latte",
        product_id: latte.id,
        ...(latte.defaultVariantId !== null && { default_variant_id: latte.defaultVariantId }),
        quantity: 1,
        is_swappable: true,
      },
      { name: "Croissant", product_id: croissant.id, quantity: 1, is_swappable: false },
    ],
    pricing: { type: "fixed", value: "42.00" },
  });

const createLunchBowl = (shop: Business, categoryId: string) =>
  shop.composites.create({
    name: "Build a Bowl",
    description: "One base, up to three toppings, a sauce if you like.",
    category_id: categoryId,
    default_price: "35.00",
    base_price: "35.00",
    images: demoImages("cafe/bowl"),
    groups: [
      {
        name: "Base",
        min_selections: 1,
        max_selections: 1,
        components: [
          { name: "Jollof rice", price: "0.00" },
          { name: "Red quinoa", price: "6.00" },
        ],
      },
      {
        name: "Toppings",
        min_selections: 1,
        max_selections: 3,
        components: [
          { name: "Grilled tilapia", price: "18.00" },
          { name: "Black-eyed beans", price: "5.00" },
          { name: "Fried plantain", price: "7.00" },
          { name: "Garden egg", price: "5.00" },
        ],
      },
      {
        name: "Sauce",
        min_selections: 0,
        max_selections: 1,
        components: [
          { name: "Shito", price: "3.00" },
          { name: "Peanut sauce", price: "4.00" },
        ],
      },
    ],
  });
