import { faultTable } from "./fault-table.ts";
import { isFullTable, mobileMoney, otherProviderResponses, withCoupons } from "./payment-cases.ts";

const otherCases = [...otherProviderResponses, withCoupons(mobileMoney, 3)];
for (const method of [mobileMoney, ...(isFullTable ? otherCases : [])]) faultTable(method);
