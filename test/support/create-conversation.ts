import { runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { selectRows } from "./select-rows.ts";
import { sessionCookieOf } from "./sessions.ts";
import { openSocketClient, type SocketClient } from "./sockets.ts";
import { type ApiClient, dataOf, shopper, type TestBusiness } from "./world.ts";

let clientIdCount = 0;

/** Sends a message as a shopper. */
export const sendMessage = (
  ask: ApiClient,
  content: string,
  clientId = `client-${clientIdCount++}`,
) => ask("POST", "/support/conversation/messages", { body: { content, client_id: clientId } });

/** Opens the conversation of a new session and sends the messages. */
export async function createConversation(shop: CreatedBusiness, ...contents: string[]) {
  const ask = shopper(shop);
  const opened = await ask("POST", "/support/conversation");
  const threadId = String(dataOf(opened).conversation.id);
  for (const content of contents)
    expect(await sendMessage(ask, content)).toMatchObject({ status: 200 });
  const object = env.SUPPORT_CONVERSATION.getByName(threadId);
  return { ask, threadId, object, cookie: sessionCookieOf(opened) ?? "" };
}

/** Connects to the conversation's WebSocket as its shopper. */
export const openShopperSocket = (
  { keys }: CreatedBusiness,
  cookie: string | null,
  headers: Record<string, string> = {},
): Promise<SocketClient> =>
  openSocketClient(`/api/v1/support/conversation/ws?public_key=${keys.publishable}`, {
    ...(cookie !== null && { Cookie: cookie }),
    ...headers,
  });

/** Connects to the conversation's WebSocket as an agent. */
export const openAgentSocket = (
  { business, keys }: CreatedBusiness,
  threadId: string,
  key: string = keys.secret,
): Promise<SocketClient> =>
  openSocketClient(`/v1/businesses/${business.id}/conversations/${threadId}/ws`, {
    "X-API-Key": key,
  });

export const contentsOf = (messages: readonly { content: string }[]): string[] =>
  messages.map(({ content }) => content);

/** The conversation's row in the business's list. */
export const findListedConversation = async (shop: TestBusiness, threadId: string) =>
  (await selectRows(shop, "select * from support_conversations where id = ?", threadId))[0];

/** Waits until the business's list has the row, running the alarm that would update it later. */
export const waitUntilListed = (
  shop: TestBusiness,
  threadId: string,
  row: Readonly<Record<string, unknown>>,
): Promise<void> =>
  expect
    .poll(async () => {
      await runDurableObjectAlarm(env.SUPPORT_CONVERSATION.getByName(threadId));
      return findListedConversation(shop, threadId);
    })
    .toMatchObject(row);
