import type { Business } from "../../../sdk/src/index.ts";
import { placeDemoOrders } from "./demo-orders.ts";
import { people } from "./people.ts";
import { createShopper, type DemoLine, type DemoService, placeOrder } from "./shopper.ts";

/** What happens in the café: orders at the table and to take away, and a subscription to its beans. */
export async function liveCafe(service: DemoService, merchant: Business, locationId: string) {
  const { items } = await merchant.products.list({ limit: 100 }).page();
  const line = (name: string, quantity: number): DemoLine => {
    const product = items.find((one) => one.name === name);
    // A group of add-ons that is required gets its first option.
    const required = product?.add_ons.filter((group) => group.is_required) ?? [];
    const add_on_options = required.flatMap(({ options }) =>
      options.slice(0, 1).map(({ id }) => id),
    );
    return { item_id: product?.id ?? "", quantity, add_on_options };
  };
  const baskets = [
    [line("House Latte", 2), line("Butter Croissant", 2)],
    [line("Lemongrass Pot", 1)],
    [line("Slow Cold Brew", 2)],
    [line("Butter Croissant", 1), line("House Latte", 1)],
    [line("Lemongrass Pot", 2), line("Butter Croissant", 1)],
    [line("House Latte", 3)],
  ];
  const [moved] = await Promise.all([
    placeDemoOrders(service, merchant, {
      people: people.cafe,
      baskets,
      provider: "mtn",
      fields: ({ name }) => ({ order_type: name.startsWith("A") ? "dine-in" : "walk-in" }),
    }),
    subscribeToBeans(service, merchant),
    sellSandwiches(
      merchant,
      items.find(({ name }) => name === "Kelewele Sandwich")?.id,
      locationId,
    ),
  ]);
  return moved;
}

async function subscribeToBeans(service: DemoService, merchant: Business): Promise<void> {
  const { data: plan } = await merchant.billingPlans.create({
    name: "Beans every two weeks",
    interval: "week",
    interval_count: 2,
    price: "85.00",
  });
  const { data: beans } = await merchant.products.create({
    product_type: "product",
    name: "House Beans, 500 g",
    description: "The beans of the house latte, roasted on Tuesdays.",
    default_price: "95.00",
    tags: ["coffee"],
    billing_plan_ids: [plan.id],
  });
  const [person] = people.cafe;
  const shopper = createShopper(service, person);
  await shopper.storefront.auth.requestOtp({ contact: person.phone });
  await shopper.storefront.auth.verifyOtp({ contact: person.phone, otp_code: "123456" });
  await placeOrder(shopper, [{ item_id: beans.id, quantity: 1, billing_plan_id: plan.id }], {
    order_type: "walk-in",
    payment_method: "mobile_money",
    mobile_money_details: { phone_number: person.phone, provider: "mtn" },
  });
}

/** Leaves few sandwiches, so that something runs out. */
const sellSandwiches = (merchant: Business, productId = "", locationId: string) =>
  merchant.inventory.adjustStockLevel(productId, locationId, {
    delta: -9,
    reason: "Sold at the Saturday market",
  });
