import type { Business, StorefrontSchemas } from "../../../sdk/src/index.ts";
import type { MovedOrder } from "./move-to-past.ts";
import type { Person } from "./people.ts";
import { createShopper, type DemoLine, type DemoService, placeOrder } from "./shopper.ts";

type Fields = Omit<StorefrontSchemas["Checkout"], "cart_id" | "customer" | "payment_method">;

/** What becomes of an order: how it is paid, and what the merchant does with it. */
type Outcome =
  | "unpaid" // the shopper has not approved the payment yet
  | "cash" // the shopper pays at the counter
  | "confirmed"
  | "preparing"
  | "ready"
  | "completed"
  | "cancelled"
  | "refunded";

/** The orders of 30 days: how many days ago each was placed, and its outcome. */
const course: readonly (readonly [daysAgo: number, outcome: Outcome])[] = [
  [29, "completed"],
  [27, "completed"],
  [25, "completed"],
  [24, "cancelled"],
  [22, "completed"],
  [20, "completed"],
  [18, "completed"],
  [17, "refunded"],
  [15, "completed"],
  [13, "completed"],
  [12, "completed"],
  [10, "completed"],
  [8, "completed"],
  [6, "completed"],
  [5, "completed"],
  [3, "completed"],
  [2, "ready"],
  [1, "preparing"],
  [1, "confirmed"],
  [0, "confirmed"],
  [0, "cash"],
  [0, "unpaid"],
];

export type OrderPlan = Readonly<{
  people: readonly Person[];
  /** What the shoppers order in turn. */
  baskets: readonly (readonly DemoLine[])[];
  /** The network of the shoppers' mobile money. */
  provider: string;
  fields: (person: Person) => Fields;
  /** Ships an order that is ready; left out where nothing is shipped. */
  ship?: ((orderId: string) => Promise<unknown>) | undefined;
}>;

const dayMs = 24 * 60 * 60 * 1000;

/** Places the orders, each shopper one after the other, and returns how old each has to become. */
export async function placeDemoOrders(
  service: DemoService,
  merchant: Business,
  { people, baskets, provider, fields, ship }: OrderPlan,
): Promise<MovedOrder[]> {
  const orders = course.map(([daysAgo, outcome], index) => ({
    daysAgo,
    outcome,
    lines: baskets[index % baskets.length] ?? [],
  }));
  const moved = await Promise.all(
    people.map(async (person, turn) => {
      const shopper = createShopper(service, person);
      const own: MovedOrder[] = [];
      for (const { daysAgo, outcome, lines } of orders.filter(
        (_, at) => at % people.length === turn,
      )) {
        const payment = paymentFor(outcome, person, provider);
        const orderId = await placeOrder(shopper, lines, { ...fields(person), ...payment });
        await changeOrder(merchant, orderId, { outcome, ship });
        if (daysAgo > 0) own.push({ orderId, byMs: daysAgo * dayMs + (daysAgo % 7) * 3_100_000 });
      }
      return own;
    }),
  );
  return moved.flat();
}

const paymentFor = (outcome: Outcome, { phone }: Person, provider: string) =>
  outcome === "cash"
    ? { payment_method: "cash" as const }
    : {
        payment_method: "mobile_money" as const,
        mobile_money_details: {
          // In test mode the last digit decides: 2 waits for the payer.
          phone_number: outcome === "unpaid" ? phone.replace(/.$/, "2") : phone,
          provider,
        },
      };

/** Does what the merchant has done with an order. A confirmed one was confirmed by its payment. */
async function changeOrder(
  { orders }: Business,
  orderId: string,
  { outcome, ship }: Readonly<{ outcome: Outcome }> & Pick<OrderPlan, "ship">,
): Promise<void> {
  switch (outcome) {
    case "unpaid":
    case "cash":
    case "confirmed":
      return;
    case "preparing":
    case "completed":
      await orders.changeStatus(orderId, { status: outcome });
      return;
    case "ready":
      if (ship) await ship(orderId);
      else await orders.changeStatus(orderId, { status: outcome });
      return;
    case "cancelled":
      await orders.cancel(orderId, { reason: "Ordered twice" });
      return;
    case "refunded":
      await orders.changeStatus(orderId, { status: "completed" });
      await orders.refund(orderId, { amount: "10.00", reason: "One item was damaged" });
  }
}
