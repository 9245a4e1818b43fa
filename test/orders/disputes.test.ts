import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { recordDispute, refundOrder } from "../../shared/orders/index.ts";
import type { Dispute } from "../../shared/payments/index.ts";
import { wholeRefund } from "../checkout/scripted-provider.ts";
import { createOrder, createOrderContext } from "../support/create-order.ts";
import { createProduct } from "../support/create-product.ts";
import { listOutboxEventTypes } from "../support/select-rows.ts";
import { createBusiness, dataOf, merchant } from "../support/world.ts";

let shop: CreatedBusiness;
let orderId: string;

beforeEach(async () => {
  vi.setSystemTime("2030-05-01T12:00:00Z");
  shop = await createBusiness();
  const product = await createProduct(shop, { defaultPriceMinor: 2_500 });
  ({ id: orderId } = await createOrder(shop, product.id));
});

type CurrentDispute = Omit<Dispute, "updatedAt">;

const createDispute = (fields: Partial<CurrentDispute> = {}): CurrentDispute => ({
  id: "dp_1",
  status: "needs_response",
  reason: "fraudulent",
  amountMinor: 5_000,
  currency: "GHS",
  dueBy: Date.parse("2030-05-08T12:00:00Z"),
  openedAt: Date.parse("2030-05-01T11:00:00Z"),
  ...fields,
});

const record = (dispute: CurrentDispute | null) =>
  recordDispute(createOrderContext(shop), orderId, async () => dispute);

const loadDispute = async () =>
  dataOf(await merchant(shop)("GET", `/orders/${orderId}`)).payment.dispute;

const countEvents = async () =>
  (await listOutboxEventTypes(shop)).filter((type) => type === "payment.disputed").length;

describe("a dispute about a payment", () => {
  it("is shown on the order and sent once, however often it is reported", async () => {
    expect(await loadDispute()).toBeNull();
    await record(createDispute());
    expect(await loadDispute()).toEqual({
      status: "needs_response",
      reason: "fraudulent",
      amount: "50.00",
      currency: "GHS",
      due_by: "2030-05-08T12:00:00.000Z",
      updated_at: "2030-05-01T12:00:00.000Z",
    });
    await Promise.all([record(createDispute()), record(createDispute())]);
    expect(await countEvents()).toBe(1);
    await record(createDispute({ status: "under_review" }));
    await record(createDispute({ status: "lost", dueBy: null }));
    expect(await loadDispute()).toMatchObject({ status: "lost", due_by: null });
    expect(await countEvents()).toBe(3);
  });

  it("does not go back to what the provider said before another change", async () => {
    await record(createDispute());
    const [earlier, called] = [
      Promise.withResolvers<CurrentDispute>(),
      Promise.withResolvers<void>(),
    ];
    const answers = [earlier.promise, Promise.resolve(createDispute({ status: "won" }))];
    const late = recordDispute(createOrderContext(shop), orderId, async () => {
      called.resolve();
      return answers.shift() ?? null;
    });
    await called.promise;
    await record(createDispute({ status: "won" }));
    earlier.resolve(createDispute({ status: "under_review" }));
    await late;
    expect(await loadDispute()).toMatchObject({ status: "won" });
    expect(await countEvents()).toBe(2);
  });

  it("is replaced by one that was opened later only", async () => {
    await record(createDispute({ id: "dp_2", reason: "duplicate" }));
    await record(createDispute({ openedAt: 1 }));
    expect(await loadDispute()).toMatchObject({ reason: "duplicate" });
    await record(createDispute({ openedAt: Date.parse("2030-05-01T11:30:00Z") }));
    expect(await loadDispute()).toMatchObject({ reason: "fraudulent" });
    await record(null);
    expect(await loadDispute()).toMatchObject({ reason: "fraudulent" });
    expect(await countEvents()).toBe(2);
  });

  it("stays when the payment is refunded, and is retried when the provider does not answer", async () => {
    await record(createDispute({ status: "warning_needs_response" }));
    const ctx = createOrderContext(shop);
    await refundOrder(ctx, await record(null), wholeRefund);
    expect(await loadDispute()).toMatchObject({ status: "warning_needs_response" });
    await expect(recordDispute(ctx, orderId, async () => "no_answer")).rejects.toMatchObject({
      code: "SERVICE_UNAVAILABLE",
    });
  });
});
