import { env } from "cloudflare:workers";
import { openContent, openValues } from "../../functions/runtime/message-queue.ts";
import { settingsOf } from "../../functions/runtime/settings.ts";
import type { CoreContent } from "../../shared/messages/index.ts";

type Waiting = CoreContent & Readonly<{ id: string; expiresAt: number }>;

/** The service's own messages that wait to be sent, opened, in the order of their ids. */
export async function listWaitingMessages(): Promise<Waiting[]> {
  const { results } = await env.CORE.prepare(
    "select id, sealed, expires_at from core_messages order by id",
  ).all<{ id: string; sealed: string; expires_at: number }>();
  const opened = results.map(async ({ id, sealed, expires_at: expiresAt }) => {
    const content = await openContent(settingsOf(env), sealed);
    if (content === null) throw new Error("The message was sealed elsewhere.");
    return { ...content, id, expiresAt };
  });
  return Promise.all(opened);
}

/** The service's own message to a contact that waits to be sent. */
export const findWaitingMessage = async (to: string): Promise<Waiting | undefined> =>
  (await listWaitingMessages()).find((message) => "to" in message && message.to === to);

/** The code in the latest message of a business's storefront that waits to be sent. */
export async function readWaitingCode(database: D1Database, businessId: string): Promise<string> {
  const sealed = await database
    .prepare(
      "select sealed_values from messages where business_id = ? and name = 'one_time_code' order by created_at desc, id desc",
    )
    .bind(businessId)
    .first<string>("sealed_values");
  return (sealed === null ? null : await openValues(settingsOf(env), sealed))?.code ?? "";
}
