import type { Db } from "../database/index.ts";
import type { ReturnUrls } from "./provider.ts";
import { type SandboxCharge, sandboxRepo } from "./sandbox-repo.ts";

/** A card charge, as shown on its sandbox page. */
export type SandboxCard = Readonly<{
  orderId: string;
  amountMinor: number;
  currency: string;
  state: "waiting" | "approved" | "declined";
  returnUrls: ReturnUrls;
}>;

/** The sandbox's card page: shows a charge and takes the shopper's decision once. */
export function sandboxCards(db: Db) {
  const charges = sandboxRepo(db);

  async function find(reference: string): Promise<SandboxCard | null> {
    const charge = await charges.find(reference);
    return charge?.pageUrl ? toSandboxCard(charge) : null;
  }

  return {
    /** Null for an unknown reference, or one that is no card charge. */
    find,

    /** Stores the first decision; later ones change nothing. Returns the card. */
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
