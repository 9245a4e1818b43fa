import { lateArrivalTable, placingRoundTrip } from "./late-arrival-table.ts";
import { cash } from "./payment-cases.ts";

lateArrivalTable(cash, [placingRoundTrip]);
