import { beforeEach } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { dataOf } from "../support/orders.ts";
import { givenBusiness, merchant } from "../support/world.ts";

/** For each test of the file: a shop, and what its agents ask of its conversations. */
export function inbox() {
  let shop: CreatedBusiness;
  beforeEach(async () => {
    shop = await givenBusiness();
  });
  const ask: ReturnType<typeof merchant> = (...call) => merchant(shop)(...call);
  return {
    shop: () => shop,
    ask,
    list: async (query = "") => dataOf(await ask("GET", `/conversations${query}`)),
    one: (threadId: string, query = "") => ask("GET", `/conversations/${threadId}${query}`),
    answerTo: (threadId: string, body: object, headers: Record<string, string> = {}) =>
      ask("POST", `/conversations/${threadId}/messages`, { body, headers }),
    close: (threadId: string) => ask("POST", `/conversations/${threadId}/close`),
  };
}
