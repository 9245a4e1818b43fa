import { unavailable } from "../kernel/index.ts";
import type { MobileMoneyProvider } from "../payments/index.ts";
import type { AccountContext } from "./context.ts";
import { mobileMoneyRepo } from "./mobile-money-repo.ts";

type MobileMoneyNumber = Readonly<{ phoneNumber: string; provider: MobileMoneyProvider }>;

/** What a network reports about a mobile-money number; `no_answer` when it does not respond. */
export type Reachability =
  | Readonly<{ type: "known"; isReachable: boolean; accountName: string | null }>
  | Readonly<{ type: "no_answer" }>;

/** Finds out whether a number is reachable on a mobile-money network. */
export type MobileMoneyDirectory = Readonly<{
  find: (number: MobileMoneyNumber) => Promise<Reachability>;
}>;

/**
 * The directory of test mode. Numbers that end in 0000 are unreachable, all others are reachable.
 */
export const sandboxMobileMoneyDirectory: MobileMoneyDirectory = {
  find: async ({ phoneNumber }) => ({
    type: "known",
    isReachable: !phoneNumber.endsWith("0000"),
    accountName: null,
  }),
};

export type MobileMoneyVerification = Readonly<{
  isReachable: boolean;
  accountName: string | null;
}>;

/**
 * Asks the network whether a saved number is reachable, and stores the result
 * (docs/contract/link.md#mobile-money-verify).
 *
 * @throws Refusal NOT_FOUND; SERVICE_UNAVAILABLE when no directory is configured or it does not
 *   respond.
 */
export async function verifyMobileMoney(
  ctx: AccountContext & Readonly<{ directory: MobileMoneyDirectory | null }>,
  id: string,
): Promise<MobileMoneyVerification> {
  const accounts = mobileMoneyRepo(ctx);
  const account = await accounts.get(id);
  if (!ctx.directory) throw unavailable("No provider is configured that can verify the number.");
  const result = await ctx.directory.find(account);
  if (result.type === "no_answer")
    throw unavailable("The provider could not verify the number. Try again.");
  await accounts.setVerified(id, result.isReachable ? ctx.now() : null);
  return { isReachable: result.isReachable, accountName: result.accountName };
}
