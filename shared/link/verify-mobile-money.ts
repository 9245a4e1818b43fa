import { unavailable } from "../kernel/index.ts";
import type { AccountContext } from "./context.ts";
import { mobileMoneyRepo } from "./mobile-money-repo.ts";
import type { NumberDirectory } from "./reachability.ts";

export type Verified = Readonly<{ isReachable: boolean; accountName: string | null }>;

/**
 * Asks the network whether a saved number is reachable on it, and keeps the answer (interface.md,
 * POST /mobile-money/:id/verify).
 *
 * @throws Refusal NOT_FOUND; SERVICE_UNAVAILABLE where nobody can be asked, or nobody answers.
 */
export async function verifyMobileMoney(
  ctx: AccountContext & Readonly<{ directory: NumberDirectory | null }>,
  id: string,
): Promise<Verified> {
  const accounts = mobileMoneyRepo(ctx);
  const account = await accounts.get(id);
  if (!ctx.directory) throw unavailable("No provider is configured that could tell.");
  const known = await ctx.directory.find(account);
  if (known.type === "no_answer") throw unavailable("The provider could not tell; try again.");
  await accounts.setVerified(id, known.isReachable ? ctx.now() : null);
  return { isReachable: known.isReachable, accountName: known.accountName };
}
