import { type Api, apiAt, record, records, text } from "../scripts/seed/api.ts";
import { type Catalogue, readCatalogue } from "./catalogue.ts";
import { importProducts } from "./import-products.ts";
import { inParallel } from "./in-parallel.ts";
import { operatorToken } from "./runtime.ts";

export type Item = Readonly<{ productId: string; variantId: string }>;

export type Shop = Readonly<{ publishableKey: string; items: readonly Item[] }>;

/** A shop of products without variants that came in as files, and what finds them. */
export type ImportedShop = Catalogue &
  Readonly<{
    publishableKey: string;
    importSeconds: string;
    /** Of as many products in every shop, the oldest ones. */
    fewCategoryId: string;
    /** Of every tenth of the other products. */
    tenthCategoryId: string;
  }>;

const productCount = 1_000;
const fewProducts = 50;
const sizes = ["S", "M", "L"];

/** A business with 1,000 products of 3 variants, made with the calls that a merchant has. */
export async function openShop(origin: URL): Promise<Shop> {
  const { merchant, publishableKey } = await openBusiness(origin);
  const items = await inParallel(productCount, (number) => addProduct(merchant, number));
  return { publishableKey, items };
}

/** A business with so many products without variants. */
export async function openImportedShop(origin: URL, count: number): Promise<ImportedShop> {
  const { merchant, publishableKey } = await openBusiness(origin);
  const started = performance.now();
  await importProducts(merchant, count);
  const importSeconds = ((performance.now() - started) / 1_000).toFixed(1);
  const catalogue = await readCatalogue(origin, publishableKey);
  const few = catalogue.productIds.slice(-fewProducts);
  const others = catalogue.productIds.slice(0, -fewProducts);
  const tenth = others.filter((_, index) => index % 10 === 0);
  return {
    ...catalogue,
    publishableKey,
    importSeconds,
    fewCategoryId: await addCategory(merchant, "Few", few),
    tenthCategoryId: await addCategory(merchant, "A tenth", tenth),
  };
}

/** A business without anything, and without limits. */
export async function openBusiness(
  origin: URL,
): Promise<{ id: string; merchant: Api; publishableKey: string; secretKey: string }> {
  const businesses = `${origin.origin}/v1/businesses`;
  const made = await apiAt(businesses, { Authorization: `Bearer ${operatorToken}` }).post("", {
    name: "Benchmark",
    mode: "test",
    currency: "GHS",
    default_country: "GH",
    timezone: "Africa/Accra",
  });
  const keys = record(made.keys);
  const id = text(record(made.business).id);
  const merchant = apiAt(`${businesses}/${id}`, { "X-API-Key": text(keys.secret) });
  await merchant.patch("", {
    payment_methods: ["cash"],
    rate_limits: {
      public_per_second_per_address: 1_000_000,
      public_per_minute: 1_000_000,
      secret_per_second: 1_000_000,
    },
  });
  const [publishableKey, secretKey] = [text(keys.publishable), text(keys.secret)];
  return { id, merchant, publishableKey, secretKey };
}

async function addCategory(
  merchant: Api,
  name: string,
  productIds: readonly string[],
): Promise<string> {
  const categoryId = text((await merchant.post("/categories", { name })).id);
  await inParallel(productIds.length, (number) =>
    merchant.patch(`/products/${productIds[number]}`, { category_id: categoryId }),
  );
  return categoryId;
}

async function addProduct(merchant: Api, number: number): Promise<Item> {
  const product = await merchant.post("/products", {
    name: `Garment ${String(number).padStart(6, "0")}`,
    description: "Heavy cotton, cut straight, better after the tenth wash. ".repeat(4),
    default_price: `${10 + (number % 90)}.50`,
    tags: ["cotton", number % 2 === 0 ? "summer" : "winter"],
    images: [{ url: `https://images.example/${number}.jpg`, is_primary: true }],
    variant_axes: [{ name: "size", label: "Size", values: sizes }],
    variants: sizes.map((size, index) => ({
      name: size,
      sku: `G-${number}-${size}`,
      price_adjustment: `${index}.00`,
      is_default: index === 0,
      axis_values: { size },
    })),
  });
  const [, variant] = records(product.variants);
  return { productId: text(product.id), variantId: text(variant?.id) };
}
