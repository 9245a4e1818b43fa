import type { Db } from "../database/index.ts";
import type { ReturnUrls } from "./provider.ts";
import { type SandboxCharge, sandboxRepo } from "./sandbox-repo.ts";

/** A card's charge as its page shows it. */
export type SandboxCard = Readonly<{
  orderId: string;
  amountMinor: number;
  currency: string;
  state: "waiting" | "approved" | "declined";
  returnUrls: ReturnUrls;
}>;

/** What the sandbox's page for cards does: shows a charge, and takes the shopper's word on it once. */
export function sandboxCards(db: Db) {
  const books = sandboxRepo(db);

  async function find(reference: string): Promise<SandboxCard | null> {
    const charge = await books.find(reference);
    return charge?.pageUrl ? cardOf(charge) : null;
  }

  return {
    /** Null for a reference that is unknown, or not a card's. */
    find,

    /** The card after this decision, or after the one that came first. */
    async decide(reference: string, decision: "approve" | "decline"): Promise<SandboxCard | null> {
      const to = decision === "approve" ? "captured" : "declined";
      await books.move(reference, { from: "redirected", to });
      return find(reference);
    },
  };
}

const cardOf = (charge: SandboxCharge): SandboxCard => ({
  orderId: charge.orderId,
  amountMinor: charge.amountMinor,
  currency: charge.currency,
  state: stateOf(charge),
  returnUrls: { success: charge.successUrl, cancel: charge.cancelUrl },
});

function stateOf({ status }: SandboxCharge): SandboxCard["state"] {
  if (status === "redirected") return "waiting";
  return status === "declined" ? "declined" : "approved";
}
