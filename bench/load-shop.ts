import { record, records, text } from "../scripts/seed/api.ts";
import { inParallel } from "./in-parallel.ts";
import { openBusiness } from "./shop.ts";

/** A shop whose pieces are counted, so that a sale may find none left. */
export type CountedShop = Readonly<{
  businessId: string;
  publishableKey: string;
  products: readonly Readonly<{ id: string; name: string }>[];
}>;

const productCount = 200;
/** So few of every tenth product, that the shoppers want more of it than there are. */
const pieces = { scarce: 3, plenty: 100_000 } as const;

/** A business with 200 products in stock, whose shoppers pay by phone, at a provider that answers at once. */
export async function openCountedShop(origin: URL): Promise<CountedShop> {
  const { id, merchant, publishableKey } = await openBusiness(origin);
  await merchant.patch("", { payment_methods: ["cash", "mobile_money"] });
  const [location] = records((await merchant.get("/locations")).items);
  const products = await inParallel(productCount, async (number) => {
    const name = `Basket ${String(number).padStart(3, "0")}`;
    const made = record(
      await merchant.post("/products", {
        name,
        default_price: `${5 + (number % 50)}.00`,
        inventory_type: "tracked",
        tags: [number % 2 === 0 ? "straw" : "reed"],
      }),
    );
    const product = { id: text(made.id), name };
    await merchant.put(`/inventory/${product.id}/locations/${text(location?.id)}`, {
      quantity_on_hand: number % 10 === 0 ? pieces.scarce : pieces.plenty,
    });
    return product;
  });
  return { businessId: id, publishableKey, products };
}
