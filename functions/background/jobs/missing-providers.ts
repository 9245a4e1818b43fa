import type { Db } from "../../../shared/database/index.ts";
import type { Runtime } from "../../../shared/kernel/index.ts";
import {
  type OrderWithoutProvider,
  postponeWithoutProvider,
} from "../../../shared/orders/index.ts";
import { log } from "../../runtime/log.ts";

/** Collects the orders of one run whose provider this Worker has no key for. */
export type MissingProviderReport = Readonly<{
  add(order: OrderWithoutProvider): void;
  /** Postpones the orders that were added since the last call. */
  postpone(): Promise<void>;
  /** Writes one line for each business and provider. */
  log(): void;
}>;

export function createMissingProviderReport(
  db: Db,
  { now }: Pick<Runtime, "now">,
): MissingProviderReport {
  const counts = new Map<string, { business: string; provider: string; orders: number }>();
  let added: OrderWithoutProvider[] = [];
  return {
    add(order) {
      added.push(order);
      const { businessId: business, provider } = order;
      const key = `${business} ${provider}`;
      const counted = counts.get(key) ?? { business, provider, orders: 0 };
      counts.set(key, { ...counted, orders: counted.orders + 1 });
    },
    async postpone() {
      const waiting = added;
      added = [];
      await postponeWithoutProvider(db, waiting, now());
    },
    log() {
      for (const facts of counts.values())
        log("error", "orders wait for a provider without a key", facts);
    },
  };
}
