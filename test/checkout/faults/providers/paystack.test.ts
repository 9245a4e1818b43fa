import { isFullTable } from "../payment-cases.ts";
import { chargeTable } from "./charge-table.ts";
import { paystackCard, paystackPhone } from "./provider-cases.ts";
import { refundTable } from "./refund-table.ts";
import { renewalTable } from "./renewal-table.ts";

chargeTable(paystackPhone, ["a checkout"]); // it is captured at once
if (isFullTable) chargeTable(paystackCard);
// Paystack has no idempotency key for refunds, so a call that is delivered again refunds again.
refundTable(paystackPhone, (fault) => fault !== "delivered twice" && fault !== "delivered late");
renewalTable(paystackPhone);
