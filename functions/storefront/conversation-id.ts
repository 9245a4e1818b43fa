import { createIdGenerator } from "../../shared/kernel/index.ts";
import { idCreatedAt } from "./session-id.ts";

/**
 * Derives the id of a session's only conversation, so that no look-up is needed. The session's id
 * cannot be computed from the conversation's id.
 *
 * @param ownedSince the generation in which the current customer first held the session. Another
 * customer gets another conversation, and cannot read the earlier one.
 */
export async function deriveConversationId(sessionId: string, ownedSince: number): Promise<string> {
  const name = new TextEncoder().encode(`conversation ${ownedSince} of ${sessionId}`);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", name));
  const newId = createIdGenerator(
    () => idCreatedAt(sessionId),
    (bytes) => bytes.set(digest.subarray(0, bytes.length)),
  );
  return newId("thr");
}
