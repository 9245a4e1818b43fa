import { countSales } from "../../../shared/orders/index.ts";
import type { Background } from "../context.ts";

const ordersAtOnce = 500;

/** Keeps up, a batch each minute, what is popular and what is bought together (completions.md 11). */
export async function countSold({ chance, dbOf }: Background, shard: string): Promise<void> {
  await countSales(dbOf(shard), { now: chance.now(), limit: ordersAtOnce });
}
