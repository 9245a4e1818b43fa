import { type ApiClient, asRecord, asRecords, asText, createApiClient } from "./api-client.ts";
import { type Catalogue, readCatalogue } from "./catalogue.ts";
import { importProducts } from "./import-products.ts";
import { runInParallel } from "./run-in-parallel.ts";
import { operatorToken } from "./runtime.ts";

export type BenchItem = Readonly<{ productId: string; variantId: string }>;

export type BenchShop = Readonly<{
  slug: string;
  publishableKey: string;
  items: readonly BenchItem[];
}>;

/**
 * A shop of imported products without variants: the products' ids, the cursors of its product list
 * and two categories.
 */
export type ImportedShop = Catalogue &
  Readonly<{
    publishableKey: string;
    importSeconds: string;
    /** The id of a category with the 50 oldest products. */
    fewCategoryId: string;
    /** The id of a category with every tenth of the other products. */
    tenthCategoryId: string;
  }>;

const productCount = 1_000;
const fewProducts = 50;
const sizes = ["S", "M", "L"];

/** Creates a business with 1,000 products of 3 variants through the business API. */
export async function createShop(origin: URL): Promise<BenchShop> {
  const { slug, merchant, publishableKey } = await createBusiness(origin);
  const items = await runInParallel(productCount, (number) => createProduct(merchant, number));
  return { slug, publishableKey, items };
}

/** Creates a business and imports `count` products without variants. */
export async function createImportedShop(origin: URL, count: number): Promise<ImportedShop> {
  const { merchant, publishableKey } = await createBusiness(origin);
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
    fewCategoryId: await createCategory(merchant, "Few", few),
    tenthCategoryId: await createCategory(merchant, "A tenth", tenth),
  };
}

/** Creates an empty business with rate limits that a benchmark does not reach. */
export async function createBusiness(origin: URL): Promise<{
  id: string;
  slug: string;
  merchant: ApiClient;
  publishableKey: string;
  secretKey: string;
}> {
  const businesses = `${origin.origin}/v1/businesses`;
  const created = await createApiClient(businesses, {
    Authorization: `Bearer ${operatorToken}`,
  }).post("", {
    name: "Benchmark",
    mode: "test",
    currency: "GHS",
    default_country: "GH",
    timezone: "Africa/Accra",
  });
  const keys = asRecord(created.keys);
  const business = asRecord(created.business);
  const [id, slug] = [asText(business.id), asText(business.slug)];
  const merchant = createApiClient(`${businesses}/${id}`, { "X-API-Key": asText(keys.secret) });
  await merchant.patch("", {
    payment_methods: ["cash"],
    rate_limits: {
      public_per_second_per_address: 1_000_000,
      public_per_minute: 1_000_000,
      public_per_minute_per_address: 1_000_000,
      secret_per_second: 1_000_000,
    },
    unpaid_limits: {
      holds_per_session: 1_000_000,
      bookings_per_contact: 1_000_000,
      per_address: 1_000_000,
    },
  });
  const [publishableKey, secretKey] = [asText(keys.publishable), asText(keys.secret)];
  return { id, slug, merchant, publishableKey, secretKey };
}

async function createCategory(
  merchant: ApiClient,
  name: string,
  productIds: readonly string[],
): Promise<string> {
  const categoryId = asText((await merchant.post("/categories", { name })).id);
  await runInParallel(productIds.length, (number) =>
    merchant.patch(`/products/${productIds[number]}`, { category_id: categoryId }),
  );
  return categoryId;
}

async function createProduct(merchant: ApiClient, number: number): Promise<BenchItem> {
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
  const [, variant] = asRecords(product.variants);
  return { productId: asText(product.id), variantId: asText(variant?.id) };
}
