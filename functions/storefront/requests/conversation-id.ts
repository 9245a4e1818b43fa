import { idMaker } from "../../../shared/kernel/index.ts";
import { timeOf } from "../session-id.ts";

/**
 * The id of a session's one conversation (interface.md, Support): whoever has the session's cookie
 * can name it without asking anybody. It tells nothing of the session's id.
 *
 * @param ownedSince the generation since which the session is of no other customer: what one of them
 * wrote is not for the next.
 */
export async function conversationIdOf(sessionId: string, ownedSince: number): Promise<string> {
  const named = new TextEncoder().encode(`conversation ${ownedSince} of ${sessionId}`);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", named));
  const newId = idMaker(
    () => timeOf(sessionId),
    (bytes) => bytes.set(digest.subarray(0, bytes.length)),
  );
  return newId("thr");
}
