import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { attachCustomer, orderRepo } from "../../shared/orders/index.ts";
import { erasePersonalData } from "../../shared/personal-data/index.ts";
import { outcomeOf } from "../one-time-codes/given.ts";
import { givenProduct } from "../support/catalogue.ts";
import { emailOf, givenCustomer, phoneOf } from "../support/customers.ts";
import { givenNeighbour } from "../support/neighbour.ts";
import { givenSale, orderContextFor, type Sold } from "../support/orders.ts";
import { eventsOf } from "../support/shop-database.ts";
import { contextFor, givenBusiness } from "../support/world.ts";

let shop: CreatedBusiness;
let sold: Sold;

const phone = phoneOf("+233241234567");
const stranger = emailOf("kofi@example.com");

beforeEach(async () => {
  shop = await givenBusiness();
  sold = await givenSale(shop, (await givenProduct(shop)).id, { how: "cash" });
});

const read = () => orderRepo(orderContextFor(shop)).get(sold.id);

const attach = async (customerId: string, loggedInId: string | null = null) =>
  attachCustomer(orderContextFor(shop), await read(), { customerId, loggedInId });

const updatesOf = async () =>
  (await eventsOf(shop)).filter((type) => type === "order.updated").length;

describe("POST /orders/{order_id}/customer (completions.md 6)", () => {
  it("attaches a customer who has verified the order's contact", async () => {
    const { id } = await givenCustomer(shop, phone);
    const before = await read();
    const ctx = { ...orderContextFor(shop), ...contextFor(shop) };
    const attached = await attachCustomer(ctx, before, { customerId: id, loggedInId: null });
    expect(ctx.meter.d1).toBe(1);
    expect(attached.order).toEqual({
      ...before.order,
      customerId: id,
      version: before.order.version + 1,
      updatedAt: expect.any(Number),
    });
    expect(await read()).toEqual(attached);
    expect(await updatesOf()).toBe(1);
  });

  it("attaches the customer who is logged in, whatever the order's contact", async () => {
    const { id } = await givenCustomer(shop, stranger);
    expect((await attach(id, id)).order.customerId).toBe(id);
  });

  it("answers the same again, without another change", async () => {
    const { id } = await givenCustomer(shop, phone);
    const attached = await attach(id);
    expect(await attach(id)).toEqual(attached);
    expect(await updatesOf()).toBe(1);
  });

  it("is forbidden for a customer whose contact is another, or is not verified", async () => {
    const other = await givenCustomer(shop, stranger, { phone: phone.value });
    const loggedIn = await givenCustomer(shop, emailOf("esi@example.com"));
    expect(await outcomeOf(attach(other.id))).toBe("FORBIDDEN");
    expect(await outcomeOf(attach(other.id, loggedIn.id))).toBe("FORBIDDEN");
    expect((await read()).order).toMatchObject({ customerId: null, version: 1 });
    expect(await updatesOf()).toBe(0);
  });

  it("is a conflict when the order is another customer's", async () => {
    const owner = await givenCustomer(shop, phone);
    const other = await givenCustomer(shop, stranger);
    await attach(owner.id);
    expect(await outcomeOf(attach(other.id, other.id))).toBe("CONFLICT");
    expect((await read()).order.customerId).toBe(owner.id);
  });

  it("knows no unknown customer, no erased one, and none of another business", async () => {
    const neighbour = await givenNeighbour(shop);
    const theirs = await givenCustomer(neighbour, phone);
    const erased = await givenCustomer(shop, stranger);
    await erasePersonalData(orderContextFor(shop), erased.id);
    for (const id of ["cus_none", theirs.id, erased.id])
      expect(await outcomeOf(attach(id, id))).toBe("NOT_FOUND");
    const owner = await givenCustomer(shop, phone);
    await attach(owner.id);
    expect(await outcomeOf(attach("cus_none"))).toBe("NOT_FOUND");
  });

  it("gives the order to one of two at once, and tells the other", async () => {
    const one = await givenCustomer(shop, phone);
    const other = await givenCustomer(shop, stranger);
    const before = await read();
    const outcomes = await Promise.all(
      [one.id, other.id].map((customerId) =>
        outcomeOf(
          attachCustomer(orderContextFor(shop), before, { customerId, loggedInId: customerId }),
        ),
      ),
    );
    expect(outcomes.toSorted()).toEqual(["CONFLICT", "ok"]);
    expect(await updatesOf()).toBe(1);
  });
});
