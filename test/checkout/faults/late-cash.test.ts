import { lateArrivalTable, placingRoundTrip } from "./late-arrival-table.ts";
import { cash, isFullTable, withCoupons } from "./payment-cases.ts";

for (const method of [withCoupons(cash, 3), ...(isFullTable ? [cash] : [])])
  lateArrivalTable(method, [placingRoundTrip]);
