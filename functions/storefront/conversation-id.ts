import { createIdGenerator } from "../../shared/kernel/index.ts";
import { idCreatedAt } from "./session-id.ts";

/**
 * Derives the id of a session's only conversation, so that no look-up is needed to find it. The id
 * does not reveal the session's.
 *
 * @param ownedSince the session's first generation of its current customer, who must not see the
 * messages of an earlier one.
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
