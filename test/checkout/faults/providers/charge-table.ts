import { describe, expect, it, vi } from "vitest";
import { isSettled } from "../../../../shared/payments/index.ts";
import { start } from "../create-sale.ts";
import { withFailureContext } from "../fault-table.ts";
import { isFullTable } from "../payment-cases.ts";
import { faultsOfRun, type NetworkFault } from "./faulty-network.ts";
import type { ProviderCaseInfo } from "./provider-cases.ts";
import { createProviderSale, expectPaidOnce, type ProviderSale, retryRefused } from "./sale.ts";

const minute = 60_000;

/** When the webhooks of a payment arrive. */
const webhookTimes = ["once", "twice and out of order", "never"] as const;
type WebhookTime = (typeof webhookTimes)[number];

/** Lets the shopper pay what is open, and the webhooks arrive or not. Then the shopper comes back. */
async function finishPayment(sale: ProviderSale, webhooks: WebhookTime): Promise<void> {
  const paid = sale.payOpenPages();
  vi.setSystemTime(Date.now() + 2 * minute); // the provider's search finds everything now
  const known = new Set([...paid, ...sale.captured().map(({ reference }) => reference)]);
  const times = webhooks === "never" ? 0 : webhooks === "once" ? 1 : 2;
  for (let time = 0; time < times; time += 1) {
    for (const reference of [...known].reverse()) await sale.receiveWebhook(reference);
  }
  const { payment } = await sale.loadOrder();
  if (!isSettled(payment)) await sale.receiveWebhook(payment.reference);
  // Without webhooks, the reconciliation asks about each capture that it finds at the provider.
  if (webhooks === "never") await receiveWebhooks(sale)();
}

/** Webhooks for every charge that the provider has captured. */
const receiveWebhooks = (sale: ProviderSale) => async () => {
  for (const { reference } of sale.captured()) await sale.receiveWebhook(reference);
};

type Flow = Readonly<{
  /** Brings a new sale to the point at which calls fail. */
  prepare: (sale: ProviderSale) => Promise<void>;
  run: (sale: ProviderSale) => Promise<unknown>;
  /** Repeats the flow after the fault. */
  repeat: (sale: ProviderSale) => Promise<unknown>;
}>;

const flows: Readonly<Record<string, Flow>> = {
  "a checkout": {
    prepare: async () => {},
    run: (sale) => sale.runCheckout(),
    repeat: (sale) => sale.finishCheckout(),
  },
  "paying again": {
    prepare: async (sale) => {
      await sale.finishCheckout();
    },
    run: (sale) => sale.payAgain("again").catch(() => null),
    repeat: (sale) => retryRefused(() => sale.payAgain("again")),
  },
};

/** Fails each call of a flow in turn, each in a sale of its own. */
async function failEachCall(
  info: ProviderCaseInfo,
  flow: Flow,
  { fault, webhooks }: Readonly<{ fault: NetworkFault; webhooks: WebhookTime }>,
): Promise<number> {
  for (let at = 1; ; at += 1) {
    vi.setSystemTime(start);
    const sale = await createProviderSale(info);
    await flow.prepare(sale);
    sale.network.failNext(at, fault, receiveWebhooks(sale));
    await flow.run(sale);
    if (sale.network.count() < at) return at - 1;
    await withFailureContext(`call ${at}`, async () => {
      await flow.repeat(sale);
      await sale.network.arrive();
      await finishPayment(sale, webhooks);
      await expectPaidOnce(sale);
    });
  }
}

const webhooksOfRun: readonly WebhookTime[] = isFullTable ? webhookTimes : ["once"];

/** Tests every fault of every call of a provider, at checkout and when an order is paid again. */
export const chargeTable = (info: ProviderCaseInfo, names = Object.keys(flows)): void => {
  describe.each(names)(`%s, paid with ${info.name}`, (name) => {
    describe.each(faultsOfRun)("with a call %s", (fault) => {
      it.each(webhooksOfRun)("is paid once when webhooks arrive %s", async (webhooks) => {
        const flow = flows[name];
        if (!flow) throw new Error(`There is no flow ${name}.`);
        const calls = await failEachCall(info, flow, { fault, webhooks });
        expect(calls).toBeGreaterThan(0);
      });
    });
  });
};
