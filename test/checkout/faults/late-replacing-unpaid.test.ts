import { lateArrivalTable, placingRoundTrip } from "./late-arrival-table.ts";
import { cash, replacingUnpaid } from "./payment-cases.ts";

lateArrivalTable(replacingUnpaid(cash), [placingRoundTrip + 1]); // the unpaid order is read before
