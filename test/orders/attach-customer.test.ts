import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { attachCustomer, orderRepo } from "../../shared/orders/index.ts";
import { outcomeOf } from "../one-time-codes/create-code.ts";
import {
  createCustomer,
  emailContact,
  eraseCustomer,
  phoneContact,
} from "../support/create-customer.ts";
import { createOrder, createOrderContext, type PlacedOrder } from "../support/create-order.ts";
import { createProduct } from "../support/create-product.ts";
import { listOutboxEventTypes } from "../support/select-rows.ts";
import { contextFor, createBusiness, createBusinessOnSameShard } from "../support/world.ts";

let shop: CreatedBusiness;
let sold: PlacedOrder;

const phone = phoneContact("+233241234567");
const otherContact = emailContact("kofi@example.com");

beforeEach(async () => {
  shop = await createBusiness();
  sold = await createOrder(shop, (await createProduct(shop)).id, { payWith: "cash" });
});

const loadOrder = () => orderRepo(createOrderContext(shop)).get(sold.id);

const attach = async (customerId: string, loggedInId: string | null = null) =>
  attachCustomer(createOrderContext(shop), await loadOrder(), { customerId, loggedInId });

const countUpdates = async () =>
  (await listOutboxEventTypes(shop)).filter((type) => type === "order.updated").length;

describe("attachCustomer", () => {
  it("assigns the order to a customer who has verified its contact, in one round trip", async () => {
    const { id } = await createCustomer(shop, phone);
    const before = await loadOrder();
    const ctx = { ...createOrderContext(shop), ...contextFor(shop) };
    const attached = await attachCustomer(ctx, before, { customerId: id, loggedInId: null });
    expect(ctx.meter.d1).toBe(1);
    expect(attached.order).toEqual({
      ...before.order,
      customerId: id,
      version: before.order.version + 1,
      updatedAt: expect.any(Number),
    });
    expect(await loadOrder()).toEqual(attached);
    expect(await countUpdates()).toBe(1);
  });

  it("assigns the order with any contact to the logged-in customer", async () => {
    const { id } = await createCustomer(shop, otherContact);
    expect((await attach(id, id)).order.customerId).toBe(id);
  });

  it("returns the same order for a repeat and changes nothing", async () => {
    const { id } = await createCustomer(shop, phone);
    const attached = await attach(id);
    expect(await attach(id)).toEqual(attached);
    expect(await countUpdates()).toBe(1);
  });

  it("rejects a customer with another or an unverified contact as FORBIDDEN", async () => {
    const other = await createCustomer(shop, otherContact, { phone: phone.value });
    const loggedIn = await createCustomer(shop, emailContact("esi@example.com"));
    expect(await outcomeOf(attach(other.id))).toBe("FORBIDDEN");
    expect(await outcomeOf(attach(other.id, loggedIn.id))).toBe("FORBIDDEN");
    expect((await loadOrder()).order).toMatchObject({ customerId: null, version: 1 });
    expect(await countUpdates()).toBe(0);
  });

  it("rejects an order of another customer as CONFLICT", async () => {
    const owner = await createCustomer(shop, phone);
    const other = await createCustomer(shop, otherContact);
    await attach(owner.id);
    expect(await outcomeOf(attach(other.id, other.id))).toBe("CONFLICT");
    expect((await loadOrder()).order.customerId).toBe(owner.id);
  });

  it("rejects an unknown, an erased and a foreign customer as NOT_FOUND", async () => {
    const neighbour = await createBusinessOnSameShard(shop);
    const theirs = await createCustomer(neighbour, phone);
    const erased = await createCustomer(shop, otherContact);
    await eraseCustomer(shop, erased.id);
    for (const id of ["cus_none", theirs.id, erased.id])
      expect(await outcomeOf(attach(id, id))).toBe("NOT_FOUND");
    const owner = await createCustomer(shop, phone);
    await attach(owner.id);
    expect(await outcomeOf(attach("cus_none"))).toBe("NOT_FOUND");
  });

  it("assigns the order to one of two concurrent callers and rejects the other", async () => {
    const one = await createCustomer(shop, phone);
    const other = await createCustomer(shop, otherContact);
    const before = await loadOrder();
    const outcomes = await Promise.all(
      [one.id, other.id].map((customerId) =>
        outcomeOf(
          attachCustomer(createOrderContext(shop), before, { customerId, loggedInId: customerId }),
        ),
      ),
    );
    expect(outcomes.toSorted()).toEqual(["CONFLICT", "ok"]);
    expect(await countUpdates()).toBe(1);
  });
});
