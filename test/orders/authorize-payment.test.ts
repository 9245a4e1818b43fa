import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { authorizePayment, extendPaymentDeadline } from "../../shared/orders/index.ts";
import type { Authorization, PaymentProvider } from "../../shared/payments/index.ts";
import { createOrder, createOrderContext, type PlacedOrder } from "../support/create-order.ts";
import { createProduct } from "../support/create-product.ts";
import { listOutboxEventTypes, selectRows } from "../support/select-rows.ts";
import { createBusiness } from "../support/world.ts";

let shop: CreatedBusiness;
let product: Product;
let sale: PlacedOrder;

beforeEach(async () => {
  shop = await createBusiness();
  product = await createProduct(shop);
  sale = await createOrder(shop, product.id, { payWith: "1" });
});

const loadPayment = async () => {
  const [payment] = await selectRows(
    shop,
    "select session_id, reference, status, failed_attempts from payments where id = ?",
    sale.paymentId,
  );
  return payment ?? {};
};

/**
 * Authorizes with guessed values and records those that reach the provider, which responds with
 * `answer`.
 */
function createGuesser(answer: PaymentProvider["authorize"]) {
  const submittedValues: string[] = [];
  const authorize = async (authorization: Authorization) => {
    submittedValues.push(authorization.value);
    await new Promise((resolve) => setTimeout(resolve, 5));
    return answer(authorization);
  };
  const ctx = createOrderContext(shop, { provider: { authorize } });
  const guess = async (value: string, type: Authorization["type"] = "otp") =>
    authorizePayment(ctx, {
      paymentId: sale.paymentId,
      sessionId: String((await loadPayment()).session_id),
      customerId: null,
      type,
      value,
    });
  return { submittedValues, guess };
}

const wrong = async () => ({ type: "wrong_value" }) as const;
const authorizationFailed = (left: number) => ({
  context: { rule: "AUTHORIZATION_FAILED", attempts_left: left },
});

describe("wrong authorization values", () => {
  it("are sent to the provider at most three times, even concurrently", async () => {
    const { submittedValues, guess } = createGuesser(wrong);
    const answers = await Promise.allSettled(
      Array.from({ length: 12 }, (_, index) => guess(`00000${index}`)),
    );
    expect(submittedValues).toHaveLength(3);
    const left = answers.map((answer) =>
      answer.status === "rejected" ? answer.reason.context.attempts_left : null,
    );
    expect(left.sort()).toEqual([...Array.from({ length: 10 }, () => 0), 1, 2]);
    expect(await loadPayment()).toMatchObject({ status: "failed", failed_attempts: 3 });
    expect(
      (await listOutboxEventTypes(shop)).filter((type) => type === "payment.failed"),
    ).toHaveLength(1);
  });

  it("count down, and the third fails the payment", async () => {
    const { guess } = createGuesser(wrong);
    for (const left of [2, 1, 0]) {
      await expect(guess("000000")).rejects.toMatchObject(authorizationFailed(left));
      expect((await loadPayment()).status).toBe(left === 0 ? "failed" : "requires_action");
    }
  });

  it("count when the provider's response is lost", async () => {
    const { submittedValues, guess } = createGuesser(async () => ({ type: "no_answer" }));
    for (let tries = 0; tries < 3; tries += 1) {
      await expect(guess("000000")).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
    }
    await expect(guess("000000")).rejects.toMatchObject(authorizationFailed(0));
    expect(submittedValues).toHaveLength(3);
  });
});

describe("a value of another type than the payment asks for", () => {
  it.each(["3ds", "pin", "phone", "birthday", "address"] as const)(
    "is refused without a try and without a call to the provider: %s",
    async (type) => {
      const { submittedValues, guess } = createGuesser(wrong);
      await expect(guess("000000")).rejects.toMatchObject(authorizationFailed(2));
      for (let tries = 0; tries < 4; tries += 1) {
        await expect(guess("123456", type)).rejects.toMatchObject({
          context: {
            rule: "AUTHORIZATION_FAILED",
            attempts_left: 2,
            authorization_type: "otp",
          },
        });
      }
      expect(submittedValues).toEqual(["000000"]);
      expect(await loadPayment()).toMatchObject({ status: "requires_action", failed_attempts: 1 });
      await expect(guess("000000")).rejects.toMatchObject(authorizationFailed(1));
    },
  );

  it("is sent to a provider that asks for it", async () => {
    const next = { type: "authorization", authorizationType: "3ds", displayText: "3DS?" } as const;
    const { submittedValues, guess } = createGuesser(async ({ value }) =>
      value === "right" ? { type: "captured", amountMinor: 2_000, currency: "GHS" } : next,
    );
    await guess("first");
    expect((await guess("right", "3ds")).payment.status).toBe("captured");
    expect(submittedValues).toEqual(["first", "right"]);
  });
});

describe("a correct authorization value", () => {
  it("settles the payment while wrong values are being checked", async () => {
    const { guess } = createGuesser(async ({ value }) =>
      value === "right" ? { type: "captured", amountMinor: 2_000, currency: "GHS" } : wrong(),
    );
    await Promise.allSettled([guess("wrong"), guess("right"), guess("wrong")]);
    expect((await loadPayment()).status).toBe("captured");
  });

  it("does not count as an attempt when another challenge follows", async () => {
    const next = { type: "authorization", authorizationType: "pin", displayText: "PIN?" } as const;
    const { guess } = createGuesser(async () => next);
    for (const type of ["otp", "pin", "pin", "pin", "pin"] as const) {
      expect((await guess("right", type)).payment.nextAction).toEqual(next);
    }
    expect(await loadPayment()).toMatchObject({ status: "requires_action", failed_attempts: 0 });
  });
});

describe("a further charge", () => {
  it("resets the attempts, unless it keeps the reference", async () => {
    const { guess } = createGuesser(wrong);
    await expect(guess("000000")).rejects.toMatchObject(authorizationFailed(2));
    const ctx = createOrderContext(shop);
    const same = String((await loadPayment()).reference);
    await extendPaymentDeadline(ctx, { orderId: sale.id, expiresAt: ctx.now(), reference: same });
    expect(await loadPayment()).toMatchObject({ failed_attempts: 1 });
    await extendPaymentDeadline(ctx, {
      orderId: sale.id,
      expiresAt: ctx.now(),
      reference: `${same}-2`,
    });
    expect(await loadPayment()).toMatchObject({ failed_attempts: 0 });
  });
});
