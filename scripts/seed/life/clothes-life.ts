import type { Business } from "../../../sdk/src/index.ts";
import { placeDemoOrders } from "./demo-orders.ts";
import { people } from "./people.ts";
import { createShopper, type DemoLine, type DemoService } from "./shopper.ts";

const address = {
  street_address: "Moi Avenue 12",
  city: "Nairobi",
  region: "Nairobi",
  country: "KE",
};

/** What happens in the clothes shop: orders that a rider delivers. */
export async function liveClothes(service: DemoService, merchant: Business) {
  const { items } = await merchant.products.list({ limit: 100 }).page();
  const line = (slug: string, variant: number, quantity = 1): DemoLine => {
    const product = items.find((one) => one.slug === slug);
    return {
      item_id: product?.id ?? "",
      quantity,
      variant_id: product?.variants[variant]?.id ?? null,
    };
  };
  const baskets = [
    [line("everyday-tee", 1), line("tote", 0)],
    [line("headwrap", 0, 2)],
    [line("linen-trousers", 2)],
    [line("tote", 0, 2)],
    [line("everyday-tee", 2, 2)],
    [line("wrap-dress", 1)],
    [line("headwrap", 1)],
  ];
  const optionId = await findDeliveryOption(service);
  return placeDemoOrders(service, merchant, {
    people: people.clothes,
    baskets,
    provider: "mpesa",
    fields: () => {
      const delivery = { delivery_option_id: optionId };
      return { order_type: "delivery", address_info: address, ...delivery };
    },
    ship: (orderId) => ship(merchant, orderId),
  });
}

/** The way in which the shop delivers to the shoppers' address. */
async function findDeliveryOption(service: DemoService): Promise<string> {
  const { storefront } = createShopper(service, people.clothes[0]);
  const { country, region, city } = address;
  const { data } = await storefront.delivery.listOptions({ country, region, city });
  return data.find(({ type }) => type === "delivery")?.id ?? "";
}

/** Sends all of an order. */
async function ship({ orders }: Business, orderId: string): Promise<void> {
  const { data: order } = await orders.get(orderId);
  await orders.createShipment(orderId, {
    items: order.items.map(({ id, quantity }) => ({ order_item_id: id, quantity })),
    carrier: "Rider",
    tracking_number: "NBO-4711",
    status: "shipped",
  });
}
