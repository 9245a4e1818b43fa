import { asRecord, asRecords, asText } from "./api-client.ts";
import { createBusiness } from "./create-shop.ts";
import { runInParallel } from "./run-in-parallel.ts";

/** A shop with tracked stock, so that products can sell out. */
export type StockedShop = Readonly<{
  businessId: string;
  publishableKey: string;
  secretKey: string;
  products: readonly Readonly<{ id: string; name: string }>[];
}>;

const productCount = 200;
/** Every tenth product has so little stock that it sells out. */
const stockQuantity = { scarce: 3, plenty: 100_000 } as const;

/** Creates a business with 200 products in stock. Shoppers pay with the sandbox's mobile money. */
export async function createStockedShop(origin: URL): Promise<StockedShop> {
  const { id, merchant, publishableKey, secretKey } = await createBusiness(origin);
  await merchant.patch("", { payment_methods: ["cash", "mobile_money"] });
  const [location] = asRecords((await merchant.get("/locations")).items);
  const products = await runInParallel(productCount, async (number) => {
    const name = `Basket ${String(number).padStart(3, "0")}`;
    const created = asRecord(
      await merchant.post("/products", {
        name,
        default_price: `${5 + (number % 50)}.00`,
        inventory_type: "tracked",
        tags: [number % 2 === 0 ? "straw" : "reed"],
      }),
    );
    const product = { id: asText(created.id), name };
    await merchant.put(`/inventory/${product.id}/locations/${asText(location?.id)}`, {
      quantity_on_hand: number % 10 === 0 ? stockQuantity.scarce : stockQuantity.plenty,
    });
    return product;
  });
  return { businessId: id, publishableKey, secretKey, products };
}
