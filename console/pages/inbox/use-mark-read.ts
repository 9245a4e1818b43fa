import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useShop } from "../../api/shop.ts";
import type { ChatMessage, ThreadPart } from "./use-thread.ts";

/** Marks the messages as read that an open chat shows, while its window is visible. */
export function useMarkRead(part: ThreadPart | undefined, last: ChatMessage | undefined): void {
  const { id, api, can } = useShop();
  const queryClient = useQueryClient();
  const threadId = part?.conversation.id;
  const isUnread = (part?.conversation.unread_count ?? 0) > 0;
  const until = last?.created_at;
  const mayMark = can("support:write");

  useEffect(() => {
    if (!mayMark || !isUnread || threadId === undefined || until === undefined) return;
    const mark = async () => {
      if (document.visibilityState !== "visible") return;
      const { data: conversation } = await api.conversations.markRead(threadId, { until });
      queryClient.setQueryData<ThreadPart>(
        [id, "conversations", "thread", threadId],
        (before) => before && { ...before, conversation },
      );
    };
    const start = () => void mark().catch(() => undefined);
    start();
    document.addEventListener("visibilitychange", start);
    return () => document.removeEventListener("visibilitychange", start);
  }, [api, id, isUnread, mayMark, queryClient, threadId, until]);
}
