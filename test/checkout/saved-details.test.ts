import { beforeEach, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { type Checkout, runCheckout } from "../../shared/checkout/index.ts";
import { type Customer, customerRepo, sessionActor } from "../../shared/customers/index.ts";
import { givenProduct } from "../support/catalogue.ts";
import { givenCustomer, phoneOf } from "../support/customers.ts";
import { Crash, faults } from "../support/faults.ts";
import { contextFor, givenBusiness } from "../support/world.ts";
import { checkoutContextFor, givenCart, givenItem, givenPlan, nothingRead } from "./given.ts";

let shop: CreatedBusiness;
let customer: Customer;

beforeEach(async () => {
  shop = await givenBusiness();
  customer = await givenCustomer(shop, phoneOf("+233241234567"));
});

const details = { name: "Ama", email: "ama@example.com", phone: "+233241234567", notes: null };

/** What a customer who wishes their details saved planned to buy, as the object keeps it. */
async function planned(): Promise<Checkout> {
  const login = { customerId: customer.id, loggedInAt: Date.now() };
  const ctx = checkoutContextFor(shop, { over: { actor: sessionActor("ses_test", login) } });
  const cart = await givenCart(ctx, givenItem((await givenProduct(shop)).id));
  const plan = await givenPlan(ctx, cart, {
    customer: { ...details, savesDetails: true },
    paymentMethod: "cash",
  });
  return JSON.parse(JSON.stringify(plan));
}

const saved = async () => customerRepo(contextFor(shop)).get(customer.id);

it.each(["before", "after"] as const)(
  "a crash %s the placing of an order loses nothing of the details that were to be saved",
  async (when) => {
    const checkout = await planned();
    const dying = checkoutContextFor(shop, { dies: faults(1, when) });
    await expect(runCheckout(dying, checkout, () => {}, nothingRead)).rejects.toBeInstanceOf(Crash);
    await runCheckout(checkoutContextFor(shop), checkout, () => {});
    expect(await saved()).toMatchObject({ name: "Ama", email: "ama@example.com" });
  },
);
