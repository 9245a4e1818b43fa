import { describe, expect, it, vi } from "vitest";
import { start } from "../create-sale.ts";
import { withFailureContext } from "../fault-table.ts";
import { faultsOfRun, type NetworkFault } from "./faulty-network.ts";
import type { ProviderCaseInfo } from "./provider-cases.ts";
import { createProviderSale, saleMinor } from "./sale.ts";

const refundMinor = 400;
const month = 30 * 24 * 60 * 60_000;

/**
 * When a late call takes effect: before the refund is repeated, or after that. A provider without
 * idempotency keys makes the second one again.
 */
type Arrival = "before the repeat" | "after the repeat";

type RefundFault = Readonly<{ fault: NetworkFault; arrival: Arrival }>;

/** Fails one call of a refund; returns whether it made that many. */
async function failRefund(
  info: ProviderCaseInfo,
  { fault, arrival, at }: RefundFault & Readonly<{ at: number }>,
): Promise<boolean> {
  vi.setSystemTime(start);
  const sale = await createProviderSale(info);
  await sale.finishCheckout();
  for (const reference of sale.payOpenPages()) await sale.receiveWebhook(reference);
  vi.setSystemTime(start + month); // long after the provider forgot its keys
  sale.network.failNext(at, fault);
  await sale.refund("refund");
  if (sale.network.count() < at) return false;
  if (arrival === "before the repeat") await sale.network.arrive();
  await sale.refund("refund");
  await sale.settleRefunds();
  await sale.network.arrive();
  vi.setSystemTime(Date.now() + month);
  await sale.settleRefunds();
  expect(sale.refunds()).toEqual([refundMinor]);
  const [charge] = sale.captured();
  expect(charge).toMatchObject({ amount: saleMinor, refunded: refundMinor });
  const { refunds } = await sale.loadOrder();
  expect(refunds.map(({ amountMinor }) => amountMinor)).toEqual([refundMinor]);
  return true;
}

const faults: readonly RefundFault[] = faultsOfRun.flatMap((fault): RefundFault[] =>
  fault === "delivered late"
    ? [
        { fault, arrival: "before the repeat" },
        { fault, arrival: "after the repeat" },
      ]
    : [{ fault, arrival: "after the repeat" }],
);

/** A call that cannot be repeated safely at a provider, with the fault that repeats it. */
type UnsafeCall = RefundFault & Readonly<{ at: number }>;

/** Tests every fault of every call of a refund. The merchant and the job repeat it. */
export const refundTable = (info: ProviderCaseInfo, unsafe: readonly UnsafeCall[] = []): void => {
  const isSafe = (fault: RefundFault, at: number) =>
    !unsafe.some(
      (one) => one.fault === fault.fault && one.arrival === fault.arrival && one.at === at,
    );

  describe(`a refund of what was paid with ${info.name}`, () => {
    it.each(faults)("is made once with a call $fault, arriving $arrival", async (fault) => {
      let at = 1;
      let wereSoMany = true;
      while (wereSoMany) {
        await withFailureContext(`call ${at}`, async () => {
          wereSoMany = !isSafe(fault, at) || (await failRefund(info, { ...fault, at }));
        });
        at += 1;
      }
      expect(at).toBeGreaterThan(3);
    });
  });
};
