import { faultTable } from "./fault-table.ts";
import { isFullTable, mobileMoney, otherProviderResponses } from "./payment-cases.ts";

for (const method of [mobileMoney, ...(isFullTable ? otherProviderResponses : [])])
  faultTable(method);
