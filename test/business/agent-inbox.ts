import { beforeEach } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { type ApiClient, createBusiness, dataOf, merchant } from "../support/world.ts";

/** Creates a business for each test of the file, with calls of its agents on conversations. */
export function setUpAgentInbox() {
  let shop: CreatedBusiness;
  beforeEach(async () => {
    shop = await createBusiness();
  });
  const ask: ApiClient = (...call) => merchant(shop)(...call);
  return {
    shop: () => shop,
    ask,
    listConversations: async (query = "") => dataOf(await ask("GET", `/conversations${query}`)),
    getConversation: (threadId: string, query = "") =>
      ask("GET", `/conversations/${threadId}${query}`),
    replyTo: (threadId: string, body: object, headers: Record<string, string> = {}) =>
      ask("POST", `/conversations/${threadId}/messages`, { body, headers }),
    markRead: (threadId: string, body: object = {}) =>
      ask("POST", `/conversations/${threadId}/read`, { body }),
    closeConversation: (threadId: string) => ask("POST", `/conversations/${threadId}/close`),
  };
}
