import { day } from "../../../../shared/kernel/index.ts";
import type { Session } from "./session.ts";
import type { CreateAlarmContext } from "./session-checkouts.ts";

/**
 * Deletes an expired session, and one that holds nothing once its stored responses have expired. The
 * session's open checkout is completed or abandoned first. If both
 * fail, the session is kept for another day.
 *
 * @throws the error of the checkout, after the next attempt was scheduled.
 */
export async function expireSession(
  { storage, login, checkouts, queue }: Session,
  now: () => number,
  createContext: CreateAlarmContext,
): Promise<void> {
  const expiresAt = () => storage.expiresAt() ?? now();
  let failure: unknown = null;
  if (expiresAt() <= now()) {
    await checkouts.closeOpen(createContext).catch((error: unknown) => {
      failure = error;
    });
  }
  await queue(async () => {
    const emptyAt = storage.emptyAt();
    const isEmpty = emptyAt !== null && emptyAt <= now() && !checkouts.hasOpen();
    if (emptyAt !== null && emptyAt > now()) storage.alarms.set("expiry", emptyAt);
    else if (!isEmpty && expiresAt() > now()) storage.alarms.set("expiry", expiresAt());
    else if (checkouts.hasOpen()) storage.alarms.set("expiry", now() + day);
    else {
      await storage.wipe();
      login.reload();
    }
  });
  if (failure !== null) throw failure;
}
