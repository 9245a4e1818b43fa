import {
  type LinkAccount,
  type NumberDirectory,
  paystackDirectory,
  sandboxDirectory,
} from "../../shared/link/index.ts";
import { paystackCalls } from "../runtime/payment-providers.ts";
import type { Settings } from "../runtime/settings.ts";

/** Who tells whether an account's numbers are reachable; null for a live one without a Paystack key. */
export function numberDirectoryOf(
  { mode }: LinkAccount,
  { paystack }: Pick<Settings, "paystack">,
): NumberDirectory | null {
  if (mode === "test") return sandboxDirectory;
  return paystack && paystackDirectory(paystackCalls(paystack));
}
