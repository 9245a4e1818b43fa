import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { authorizePayment, keepWaiting } from "../../shared/orders/index.ts";
import type { Authorization, PaymentProvider } from "../../shared/payments/index.ts";
import { givenProduct } from "../support/catalogue.ts";
import { givenSale, orderContextFor, type Sold } from "../support/orders.ts";
import { eventsOf, rowsOf } from "../support/shop-database.ts";
import { givenBusiness } from "../support/world.ts";

let shop: CreatedBusiness;
let product: Product;
let sale: Sold;

beforeEach(async () => {
  shop = await givenBusiness();
  product = await givenProduct(shop);
  sale = await givenSale(shop, product.id, { how: "1" });
});

const paymentOf = async () => {
  const [payment] = await rowsOf(
    shop,
    "select session_id, reference, status, failed_attempts from payments where id = ?",
    sale.paymentId,
  );
  return payment ?? {};
};

/** A session's guesses; the provider remembers which reached it, and answers as `answer` says. */
function guesser(answer: PaymentProvider["authorize"]) {
  const reached: string[] = [];
  const authorize = async (authorization: Authorization) => {
    reached.push(authorization.value);
    await new Promise((resolve) => setTimeout(resolve, 5));
    return answer(authorization);
  };
  const ctx = orderContextFor(shop, { over: { authorize } });
  const guess = async (value: string) =>
    authorizePayment(ctx, {
      paymentId: sale.paymentId,
      sessionId: String((await paymentOf()).session_id),
      customerId: null,
      type: "otp",
      value,
    });
  return { reached, guess };
}

const wrong = async () => ({ type: "wrong_value" }) as const;
const refused = (left: number) => ({
  context: { rule: "AUTHORIZATION_FAILED", attempts_left: left },
});

describe("wrong codes", () => {
  it("reach the provider three times at most, however many are sent at once", async () => {
    const { reached, guess } = guesser(wrong);
    const answers = await Promise.allSettled(
      Array.from({ length: 12 }, (_, index) => guess(`00000${index}`)),
    );
    expect(reached).toHaveLength(3);
    const left = answers.map((answer) =>
      answer.status === "rejected" ? answer.reason.context.attempts_left : null,
    );
    expect(left.sort()).toEqual([...Array.from({ length: 10 }, () => 0), 1, 2]);
    expect(await paymentOf()).toMatchObject({ status: "failed", failed_attempts: 3 });
    expect((await eventsOf(shop)).filter((type) => type === "payment.failed")).toHaveLength(1);
  });

  it("count down one after the other, and the third fails the payment", async () => {
    const { guess } = guesser(wrong);
    for (const left of [2, 1, 0]) {
      await expect(guess("000000")).rejects.toMatchObject(refused(left));
      expect((await paymentOf()).status).toBe(left === 0 ? "failed" : "requires_action");
    }
  });

  it("count when their answer is lost: the provider may have judged them", async () => {
    const { reached, guess } = guesser(async () => ({ type: "no_answer" }));
    for (let tries = 0; tries < 3; tries += 1) {
      await expect(guess("000000")).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
    }
    await expect(guess("000000")).rejects.toMatchObject(refused(0));
    expect(reached).toHaveLength(3);
  });
});

describe("a right value", () => {
  it("settles the payment while wrong ones are under way", async () => {
    const { guess } = guesser(async ({ value }) =>
      value === "right" ? { type: "captured", amountMinor: 2_000, currency: "GHS" } : wrong(),
    );
    await Promise.allSettled([guess("wrong"), guess("right"), guess("wrong")]);
    expect((await paymentOf()).status).toBe("captured");
  });

  it("gives its try back when another challenge follows", async () => {
    const next = { type: "authorization", authorizationType: "pin", displayText: "PIN?" } as const;
    const { guess } = guesser(async () => next);
    for (let steps = 0; steps < 5; steps += 1) {
      expect((await guess("right")).payment.nextAction).toEqual(next);
    }
    expect(await paymentOf()).toMatchObject({ status: "requires_action", failed_attempts: 0 });
  });
});

describe("a further charge", () => {
  it("has all its tries, one under the same reference has not", async () => {
    const { guess } = guesser(wrong);
    await expect(guess("000000")).rejects.toMatchObject(refused(2));
    const ctx = orderContextFor(shop);
    const same = String((await paymentOf()).reference);
    await keepWaiting(ctx, { orderId: sale.id, until: ctx.now(), reference: same });
    expect(await paymentOf()).toMatchObject({ failed_attempts: 1 });
    await keepWaiting(ctx, { orderId: sale.id, until: ctx.now(), reference: `${same}-2` });
    expect(await paymentOf()).toMatchObject({ failed_attempts: 0 });
  });
});
