import type Stripe from "stripe";
import { z } from "zod";
import { second } from "../../kernel/index.ts";
import { type Dispute, type DisputeStatus, disputeStatuses } from "../payment.ts";
import { toMoney } from "./amounts.ts";
import { createStripeClient, type StripeConnection } from "./client.ts";
import { IntentData, referenceOf } from "./objects.ts";

const disputeFields = {
  id: z.string().min(1),
  amount: z.number().int(),
  currency: z.string(),
  reason: z.string().max(100),
  status: z.string(),
  created: z.number(),
  evidence_details: z.object({ due_by: z.number().nullable() }),
  payment_intent: IntentData.pick({ metadata: true }).nullable(),
} satisfies Partial<Record<keyof Stripe.Dispute, z.ZodType>>;
const DisputeData = z.object(disputeFields);

/** A dispute with the reference of the charge that it is about. */
export type StripeDispute = Readonly<{
  reference: string;
  dispute: Omit<Dispute, "updatedAt">;
}>;

/**
 * Creates the function that returns a dispute as it is now. A webhook does not say: it may arrive
 * late. Null for a dispute about a charge that is not ours.
 */
export function createStripeDisputes(connection: StripeConnection) {
  const callStripe = createStripeClient(connection);
  return async function findDispute(id: string): Promise<StripeDispute | null | "no_answer"> {
    const response = await callStripe({
      name: "GET /v1/disputes/{id}",
      send: ({ disputes }) => disputes.retrieve(id, { expand: ["payment_intent"] }),
      Data: DisputeData,
    });
    if (response.type === "refused" && response.code === "resource_missing") return null;
    return response.type === "ok" ? toStripeDispute(response.data) : "no_answer";
  };
}

function toStripeDispute({
  id,
  amount,
  currency,
  reason,
  status,
  created,
  evidence_details: { due_by: dueBy },
  payment_intent: intent,
}: z.infer<typeof DisputeData>): StripeDispute | null {
  const reference = intent && referenceOf(intent);
  const money = toMoney(amount, currency);
  const known = toDisputeStatus(status);
  if (reference === null || money === null || known === null) return null;
  return {
    reference,
    dispute: {
      id,
      status: known,
      reason,
      ...money,
      dueBy: dueBy ? dueBy * second : null,
      openedAt: created * second,
    },
  };
}

/** Null for a status that we do not know yet. An appeal is answered and reviewed like the dispute itself. */
function toDisputeStatus(status: string): DisputeStatus | null {
  const name = status.replace(/^appeal_/, "");
  return disputeStatuses.find((one) => one === name) ?? null;
}
