import { beforeEach, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { type Checkout, runCheckout } from "../../shared/checkout/index.ts";
import { type Customer, customerRepo } from "../../shared/customers/index.ts";
import { createCustomer, phoneContact } from "../support/create-customer.ts";
import { createProduct } from "../support/create-product.ts";
import { Crash, crashAtEffect } from "../support/faults.ts";
import { contextFor, createBusiness } from "../support/world.ts";
import {
  checkoutContextFor,
  createCart,
  createPlannedCheckout,
  newItem,
  readsOf,
} from "./create-checkout.ts";

let shop: CreatedBusiness;
let customer: Customer;

beforeEach(async () => {
  shop = await createBusiness();
  customer = await createCustomer(shop, phoneContact("+233241234567"));
});

const details = { name: "Ama", email: "ama@example.com", phone: "+233241234567", notes: null };

/** The planned checkout of a customer who saves their details. */
async function createTestCheckout(): Promise<Checkout> {
  const actor = {
    type: "session",
    sessionId: "ses_test",
    customerId: customer.id,
    loggedInAt: Date.now(),
  } as const;
  const ctx = checkoutContextFor(shop, { overrides: { actor } });
  const cart = await createCart(ctx, newItem((await createProduct(shop)).id));
  return createPlannedCheckout(ctx, cart, {
    customer: { ...details, savesDetails: true },
    paymentMethod: "cash",
  });
}

const loadCustomer = async () => customerRepo(contextFor(shop)).get(customer.id);

it.each(["before", "after"] as const)(
  "saves the customer's details after a crash %s the order is placed",
  async (when) => {
    const checkout = await createTestCheckout();
    const dying = checkoutContextFor(shop, { crashPoint: crashAtEffect(1, when) });
    await expect(runCheckout(dying, checkout, () => {}, readsOf(checkout))).rejects.toBeInstanceOf(
      Crash,
    );
    const stored: Checkout = JSON.parse(JSON.stringify(checkout));
    await runCheckout(checkoutContextFor(shop), stored, () => {});
    expect(await loadCustomer()).toMatchObject({ name: "Ama", email: "ama@example.com" });
  },
);
