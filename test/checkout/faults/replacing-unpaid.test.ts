import { faultTable } from "./fault-table.ts";
import { cash, isFullTable, mobileMoney, replacingUnpaid } from "./payment-cases.ts";

for (const method of [cash, ...(isFullTable ? [mobileMoney] : [])])
  faultTable(replacingUnpaid(method));
