import { describe, expect, it, vi } from "vitest";
import { orderRepo, tryVerifyPayment } from "../../../../shared/orders/index.ts";
import { processDueSubscription } from "../../../../shared/renewals/index.ts";
import { createCharge } from "../../../payments/create-charge.ts";
import {
  firstRenewalTime,
  loadSubscriptionState,
  startTime,
} from "../../../renewals/renewal-state.ts";
import { createSubscription } from "../../../subscriptions/create-subscription.ts";
import { createOrderContext } from "../../../support/create-order.ts";
import { selectRows } from "../../../support/select-rows.ts";
import { createBusiness } from "../../../support/world.ts";
import { withFailureContext } from "../fault-table.ts";
import { faultsOfRun, type NetworkFault } from "./faulty-network.ts";
import type { ProviderCaseInfo } from "./provider-cases.ts";

const maxRuns = 12;

/** A subscription whose first period was paid with the provider. */
async function createProviderSubscription(info: ProviderCaseInfo) {
  vi.setSystemTime(startTime);
  const shop = await createBusiness({ currency: info.currency });
  const subscribed = await createSubscription(shop);
  const { provider, ...stand } = info.create();
  const { paymentMethod: method, mobileMoney } = info.payment;
  const update = (query: string, ...values: string[]) =>
    selectRows(shop, `${query} where order_id = ?`, ...values, subscribed.orderId);
  await update("update payments set provider = ?, method = ?", provider.name, method);
  if (mobileMoney === null) {
    await update(
      "update order_lines set subscription = json_set(subscription, '$.mobileMoney', null)",
    );
  }
  const [{ last_reference: reference = "" } = {}] = await selectRows(
    shop,
    "select last_reference from subscriptions where id = ?",
    subscribed.id,
  );
  await provider.charge(
    createCharge({
      ...{ reference: String(reference), currency: info.currency, mobileMoney },
      ...{ savesPayer: true, paymentToken: mobileMoney === null ? "pm_card_visa" : null },
    }),
  );
  const ctx = createOrderContext(shop, { provider });
  const renewals = () => stand.captured().filter((one) => one.reference !== reference);

  async function receiveWebhooks(): Promise<void> {
    for (const { reference: charge } of renewals()) {
      const [row] = await selectRows(
        shop,
        `select order_id from payments join payment_references as charge
          on charge.payment_id = payments.id where charge.reference = ?`,
        charge,
      );
      const details = await orderRepo(ctx).get(String(row?.order_id));
      await tryVerifyPayment(ctx, details, { reference: charge });
    }
  }

  return {
    ...stand,
    renewals,
    receiveWebhooks,
    run: () => processDueSubscription(ctx, subscribed.id),
    loadState: () => loadSubscriptionState(shop, subscribed),
    async moveToDue(): Promise<void> {
      const query = "select due_at from subscriptions where id = ?";
      const [row] = await selectRows(shop, query, subscribed.id);
      vi.setSystemTime(Math.max(Number(row?.due_at), Date.now()));
    },
  };
}

/** Fails one call of a renewal; returns whether it made that many. */
async function failRenewal(
  info: ProviderCaseInfo,
  { fault, at }: Readonly<{ fault: NetworkFault; at: number }>,
): Promise<boolean> {
  const renewal = await createProviderSubscription(info);
  vi.setSystemTime(firstRenewalTime);
  renewal.network.failNext(at, fault, renewal.receiveWebhooks);
  await renewal.run();
  if (renewal.network.count() < at) return false;
  for (let runs = 1; runs <= maxRuns && (await renewal.loadState())?.cycle === 1; runs += 1) {
    await renewal.moveToDue();
    await renewal.run();
  }
  await renewal.network.arrive();
  await renewal.receiveWebhooks();
  expect(await renewal.loadState()).toMatchObject({ status: "active", cycle: 2, attempts: 0 });
  expect(renewal.renewals()).toEqual([expect.objectContaining({ refunded: 0 })]);
  return true;
}

/** Tests every fault of every call of a renewal. The job repeats it. */
export const renewalTable = (info: ProviderCaseInfo): void => {
  describe(`a renewal by ${info.name}`, () => {
    it.each(faultsOfRun)("is charged once with a call %s", async (fault) => {
      let at = 1;
      let wereSoMany = true;
      while (wereSoMany) {
        await withFailureContext(`call ${at}`, async () => {
          wereSoMany = await failRenewal(info, { fault, at });
        });
        at += 1;
      }
      expect(at).toBeGreaterThan(2);
    });
  });
};
