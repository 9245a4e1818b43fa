import { isFullTable } from "../payment-cases.ts";
import { chargeTable } from "./charge-table.ts";
import { paystackCard, paystackPhone } from "./provider-cases.ts";
import { refundTable } from "./refund-table.ts";
import { renewalTable } from "./renewal-table.ts";

chargeTable(paystackPhone, ["a checkout"]); // it is captured at once
if (isFullTable) chargeTable(paystackCard);
// Paystack has no idempotency key for refunds: its third call, which refunds, refunds again when the
// network itself sends it again, or when it arrives after the repeat has searched for it.
refundTable(paystackPhone, [
  { fault: "delivered twice", arrival: "after the repeat", at: 3 },
  { fault: "delivered late", arrival: "after the repeat", at: 3 },
]);
renewalTable(paystackPhone);
