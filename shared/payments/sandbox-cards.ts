import type { Db } from "../database/index.ts";
import type { ReturnUrls } from "./provider.ts";
import { type SandboxCharge, sandboxRepo } from "./sandbox-repo.ts";

/** A card charge, as the test-mode payment page shows it. */
export type SandboxCard = Readonly<{
  orderId: string;
  amountMinor: number;
  currency: string;
  state: "waiting" | "approved" | "declined";
  returnUrls: ReturnUrls;
}>;

/**
 * The card page of test mode: reads the charge, and stores the decision that the shopper takes
 * once.
 */
export function sandboxCards(db: Db) {
  const charges = sandboxRepo(db);

  async function find(reference: string): Promise<SandboxCard | null> {
    const charge = await charges.find(reference);
    return charge?.pageUrl ? toSandboxCard(charge) : null;
  }

  return {
    /** Finds a card charge. Null for an unknown reference or a charge that is not of a card. */
    find,

    /** Stores the shopper's decision. Only the first decision counts. Returns the card charge. */
    async decide(reference: string, decision: "approve" | "decline"): Promise<SandboxCard | null> {
      const to = decision === "approve" ? "captured" : "declined";
      await charges.changeStatus(reference, { from: "redirected", to });
      return find(reference);
    },
  };
}

const toSandboxCard = (charge: SandboxCharge): SandboxCard => ({
  orderId: charge.orderId,
  amountMinor: charge.amountMinor,
  currency: charge.currency,
  state: cardState(charge),
  returnUrls: { success: charge.successUrl, cancel: charge.cancelUrl },
});

function cardState({ status }: SandboxCharge): SandboxCard["state"] {
  if (status === "redirected") return "waiting";
  return status === "declined" ? "declined" : "approved";
}
