import type { BusinessSchemas } from "@duka/sdk/business";
import { type UseQueryResult, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { useShop } from "../../api/shop.ts";

export type ChatMessage = BusinessSchemas["Message"];
export type ThreadPart = BusinessSchemas["ConversationPage"];

type Thread = Readonly<{
  query: UseQueryResult<ThreadPart>;
  /** All messages that are loaded, oldest first. */
  messages: readonly ChatMessage[];
  /** Whether the service has messages from before the first one that is loaded. */
  hasEarlier: boolean;
  loadEarlier: () => Promise<void>;
  add: (messages: readonly ChatMessage[]) => void;
}>;

const pageSize = 100;
const pollMs = 10_000;

/**
 * One chat with its messages, which arrive over the socket. Without a socket, as for a member who
 * may only read, the chat is read again every ten seconds.
 */
export function useThread(threadId: string): Thread {
  const { id, api, can } = useShop();
  const queryClient = useQueryClient();
  const isLive = can("support:write");
  const [isPolling, setIsPolling] = useState(!isLive);
  const [arrived, setArrived] = useState<readonly ChatMessage[]>([]);
  const add = useCallback(
    (messages: readonly ChatMessage[]) => setArrived((before) => merge(before, messages)),
    [],
  );
  const query = useQuery({
    queryKey: [id, "conversations", "thread", threadId],
    queryFn: async ({ signal }) =>
      (await api.conversations.get(threadId, { limit: pageSize }, { signal })).data,
    ...(isPolling && { refetchInterval: pollMs }),
  });
  const messages = merge(query.data?.messages ?? [], arrived);
  const lastAt = messages.at(-1)?.created_at;
  const connectAfter = useRef(lastAt);
  connectAfter.current = lastAt;
  const isLoaded = query.isSuccess;

  useEffect(() => {
    if (!isLive || !isLoaded) return;
    const after = connectAfter.current;
    const connection = api.conversations.connect(threadId, after ? { after } : {});
    const listen = async () => {
      for await (const message of connection) {
        add([message]);
        await queryClient.invalidateQueries({ queryKey: [id, "conversations"] });
      }
    };
    listen().catch(() => setIsPolling(true));
    return () => connection.close();
  }, [api, add, id, isLive, isLoaded, queryClient, threadId]);

  async function loadEarlier() {
    const first = messages[0];
    let after = new Date(0).toISOString();
    for (;;) {
      const { data } = await api.conversations.get(threadId, { after, limit: pageSize });
      const last = data.messages.at(-1);
      add(data.messages);
      if (!last || !first || last.created_at >= first.created_at) return;
      after = last.created_at;
    }
  }

  const count = query.data?.conversation.message_count ?? 0;
  return { query, messages, hasEarlier: count > messages.length, loadEarlier, add };
}

/** The messages of both lists, each once, oldest first. */
function merge(
  some: readonly ChatMessage[],
  others: readonly ChatMessage[],
): readonly ChatMessage[] {
  const byId = new Map([...some, ...others].map((message) => [message.id, message]));
  return [...byId.values()].sort((a, b) => a.created_at.localeCompare(b.created_at));
}
