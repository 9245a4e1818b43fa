import { lateArrivalTable, placingRoundTrip } from "./late-arrival-table.ts";
import { card, isFullTable, mobileMoney } from "./payment-cases.ts";

lateArrivalTable(mobileMoney, isFullTable ? [placingRoundTrip, 2, 3] : [placingRoundTrip]);
if (isFullTable) lateArrivalTable(card, [placingRoundTrip]); // differs only in the provider's response
