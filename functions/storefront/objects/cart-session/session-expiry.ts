import type { CartRepo } from "../../../../shared/cart/index.ts";
import type { CheckoutContext, StoredCheckout } from "../../../../shared/checkout/index.ts";
import { day } from "../../../../shared/kernel/index.ts";
import { sessionLifetimeMs } from "../../../http/authentication/session-cookie.ts";
import type { Alarms } from "../../../runtime/objects/alarms.ts";
import type { KeptStorage } from "../../../runtime/objects/expiring-storage.ts";
import type { Serial } from "../../../runtime/objects/serial-queue.ts";
import type { Checkouts } from "./checkouts.ts";
import type { SessionLogin } from "./session-login.ts";

/**
 * How long a session is kept that nobody uses: longer than any cookie of it is good for, since a use
 * is noted only once a day.
 */
export const sessionKeptMs = sessionLifetimeMs + 2 * day;

type Parts = Readonly<{
  alarms: Alarms<"expiry">;
  kept: KeptStorage;
  carts: CartRepo;
  login: SessionLogin;
  checkouts: Checkouts;
  inTurn: Serial;
}>;

/**
 * Clears a session away that was not used for as long as it is kept. A checkout that is open is
 * finished or given up first, and keeps the session for another day while neither can be done, whatever
 * the reason.
 */
export async function expireSession(
  { alarms, kept, carts, login, checkouts, inTurn }: Parts,
  now: () => number,
  contextFor: (stored: StoredCheckout) => Promise<CheckoutContext>,
): Promise<void> {
  const until = () => kept.keptUntil() ?? now();
  let failure: unknown = null;
  if (until() <= now()) {
    await checkouts.end(contextFor).catch((error: unknown) => {
      failure = error;
    });
  }
  await inTurn(async () => {
    if (until() > now()) alarms.set("expiry", until());
    else if (checkouts.isOpen()) alarms.set("expiry", now() + day);
    else {
      await kept.wipe();
      carts.forget();
      login.forget();
    }
  });
  if (failure !== null) throw failure; // told by whoever rang
}
