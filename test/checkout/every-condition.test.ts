import { expect, it, vi } from "vitest";
import { merchantCatalogue } from "../../shared/catalogue/index.ts";
import {
  addSlotToCart,
  at,
  createBookingShop,
  createService,
  requireData,
} from "../bookings/create-booking.ts";
import { createDeal } from "../support/create-deal.ts";
import { createDeliveryMethod } from "../support/create-delivery.ts";
import { createProduct } from "../support/create-product.ts";
import { createLoggedInShopper } from "../support/sessions.ts";
import { contextFor, merchant } from "../support/world.ts";

const accra = { street_address: "1 High Street", city: "Accra", country: "GH" };
const collectionFields = {
  slug: null,
  description: "",
  imageUrl: null,
  sortOrder: 0,
  metadata: {},
};

it("places an order that depends on everything a price can depend on", async () => {
  const shop = await createBookingShop();
  const { ask } = await createLoggedInShopper(shop);
  const manage = merchant(shop);
  const plan = await requireData(
    manage("POST", "/billing-plans", { body: { name: "Weekly", interval: "week", price: "7" } }),
  );
  const tea = await createProduct(shop, { billingPlanIds: [plan.id], tags: ["calm"] });
  const haircut = await createService(shop, { tags: ["calm"] });
  await requireData(
    manage("POST", "/tax/rates", { body: { name: "VAT", country: "GH", rate_percent: "15" } }),
  );
  const { id: optionId } = await createDeliveryMethod(shop);
  const { collection } = await merchantCatalogue.createCollection(contextFor(shop), {
    ...{ ...collectionFields, name: "All" },
    members: { productIds: null, rule: { tags: ["calm"] } },
  });
  await createDeal(shop, { appliesTo: { scope: "collection", ids: [collection.id] } });
  await createDeal(shop, { code: "MORE", value: "5" });
  vi.setSystemTime(Date.now() + 5_001);
  await requireData(addSlotToCart(ask, haircut, at(9)));
  const body = { item_id: tea.id, quantity: 1, billing_plan_id: plan.id };
  await requireData(ask("POST", "/cart/items", { body }));
  await requireData(ask("POST", "/cart/coupons", { body: { coupon_code: "MORE" } }));
  await requireData(
    ask("PUT", "/cart/delivery", { body: { option_id: optionId, address: accra } }),
  );
  const cart = await requireData(ask("GET", "/cart"));
  const checkout = await requireData(
    ask("POST", "/checkout", {
      body: {
        cart_id: cart.id,
        customer: { name: "Ama", email: "ama@example.com", phone: "0241234567" },
        payment_method: "cash",
        expected_total: cart.pricing.total_price,
      },
    }),
  );
  const order = await requireData(ask("GET", `/orders/${checkout.order_id}`));
  expect(order.total_price).toBe(cart.pricing.total_price);
});
