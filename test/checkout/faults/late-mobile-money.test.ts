import { lateArrivalTable, placingRoundTrip } from "./late-arrival-table.ts";
import { card, isFullTable, mobileMoney } from "./payment-cases.ts";

/**
 * The round trip that records the charge. The one before it is the charge itself: the comparison with
 * the provider's books refunds one that arrives late (test/background/reconcile-payments.test.ts).
 */
const recordingRoundTrip = 3;

lateArrivalTable(
  mobileMoney,
  isFullTable ? [placingRoundTrip, recordingRoundTrip] : [placingRoundTrip],
);
if (isFullTable) lateArrivalTable(card, [placingRoundTrip]); // differs only in the provider's response
