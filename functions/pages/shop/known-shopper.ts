import type { ShownCustomer } from "../account/load-account.ts";
import type { ShownCart } from "./delivery.tsx";
import type { VisitedShop } from "./open-shop.ts";

type KnownAddress = NonNullable<ShownCart["delivery"]>["address"];

/** What a shop knows of a shopper who is logged in. */
export type KnownShopper = Readonly<{
  customer: ShownCustomer;
  /** Where the latest delivery went; null before the first one. */
  address: KnownAddress;
}>;

/** How many orders are searched for an address. */
const searchedOrders = 5;

/** The customer who is logged in; null for nobody. */
export async function loadKnownShopper({ api }: VisitedShop): Promise<KnownShopper | null> {
  const { customer } = (await api.auth.getStatus()).data;
  if (customer === null) return null;
  const { items: orders } = await api.orders.list({ limit: searchedOrders }).page();
  const delivered = orders.find(({ delivery }) => delivery?.type === "delivery");
  return { customer, address: delivered?.delivery?.address ?? null };
}
