import type { ChargeRequest, RefundRequest } from "../../shared/payments/index.ts";

let references = 0;

/** A charge of 50.00; `fields` are what matters to the test. */
export const createCharge = (fields: Partial<ChargeRequest> = {}): ChargeRequest => {
  references += 1;
  return {
    reference: `ref_${references.toString(16).padStart(40, "0")}`,
    orderId: `ord_${references}`,
    orderNumber: String(references),
    expiresAt: Date.now() + 1_800_000,
    savesPayer: false,
    paymentToken: null,
    amountMinor: 5_000,
    currency: "GHS",
    email: "ama@example.com",
    mobileMoney: { phoneNumber: "+233551234987", provider: "mtn" },
    returnUrls: { success: null, cancel: null },
    origin: "https://duka.test",
    ...fields,
  };
};

export const createRefund = (
  { reference, amountMinor, currency }: ChargeRequest,
  fields: Partial<RefundRequest> = {},
): RefundRequest => ({
  refundId: `rfd_${reference}`,
  reference,
  providerReference: null,
  amountMinor,
  currency,
  ...fields,
});
