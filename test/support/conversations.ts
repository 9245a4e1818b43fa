import { runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { dataOf } from "./orders.ts";
import { cookieIn } from "./sessions.ts";
import { rowsOf } from "./shop-database.ts";
import { type End, openEnd } from "./sockets.ts";
import { type contextFor, type merchant, shopper } from "./world.ts";

type Shop = Parameters<typeof merchant>[0];
type Ask = ReturnType<typeof shopper>;

let clientIds = 0;

/** Says something as a shopper; the answer. */
export const say = (ask: Ask, content: string, clientId = `client-${clientIds++}`) =>
  ask("POST", "/support/conversation/messages", { body: { content, client_id: clientId } });

/** A shopper with a conversation, and the cookie that it is theirs by. */
export async function givenConversation(shop: Shop, ...contents: string[]) {
  const ask = shopper(shop);
  const opened = await ask("POST", "/support/conversation");
  const threadId = String(dataOf(opened).conversation.id);
  for (const content of contents) expect(await say(ask, content)).toMatchObject({ status: 200 });
  const object = env.SUPPORT_CONVERSATION.getByName(threadId);
  return { ask, threadId, object, cookie: cookieIn(opened) ?? "" };
}

/** The shopper's end of a socket. */
export const shoppersEnd = (
  { keys }: Shop,
  cookie: string | null,
  headers: Record<string, string> = {},
): Promise<End> =>
  openEnd(`/api/v1/support/conversation/ws?public_key=${keys.publishable}`, {
    ...(cookie !== null && { Cookie: cookie }),
    ...headers,
  });

/** The agent's end. */
export const agentsEnd = (
  { business, keys }: Shop,
  threadId: string,
  key: string = keys.secret,
): Promise<End> =>
  openEnd(`/v1/businesses/${business.id}/conversations/${threadId}/ws`, { "X-API-Key": key });

export const contentsOf = (messages: readonly { content: string }[]): string[] =>
  messages.map(({ content }) => content);

/** What the shop's list has of a conversation. */
export const indexedRow = async (shop: Parameters<typeof contextFor>[0], threadId: string) =>
  (await rowsOf(shop, "select * from support_conversations where id = ?", threadId))[0];

/** Waits until the shop's list has it so, ringing the alarm that would ring by itself later. */
export const isListed = (
  shop: Parameters<typeof contextFor>[0],
  threadId: string,
  row: Readonly<Record<string, unknown>>,
): Promise<void> =>
  expect
    .poll(async () => {
      await runDurableObjectAlarm(env.SUPPORT_CONVERSATION.getByName(threadId));
      return indexedRow(shop, threadId);
    })
    .toMatchObject(row);
