import { type Api, apiAt, record, records, text } from "../scripts/seed/api.ts";
import { operatorToken } from "./runtime.ts";

export type Item = Readonly<{ productId: string; variantId: string }>;
export type Shop = Readonly<{ publishableKey: string; items: readonly Item[] }>;

const productCount = 1_000;
const writersAtOnce = 16;
const sizes = ["S", "M", "L"];

/** A business with 1,000 products of 3 variants, made with the calls that a merchant has. */
export async function openShop(origin: URL): Promise<Shop> {
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
  const items = await inParallel(productCount, (number) => addProduct(merchant, number));
  return { publishableKey: text(keys.publishable), items };
}

async function addProduct(merchant: Api, number: number): Promise<Item> {
  const product = await merchant.post("/products", {
    name: `Garment ${number}`,
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

async function inParallel<T>(count: number, make: (number: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const work = async () => {
    while (next < count) {
      const number = next;
      next += 1;
      results.push(await make(number));
    }
  };
  await Promise.all(Array.from({ length: writersAtOnce }, work));
  return results;
}
