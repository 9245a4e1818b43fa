import { faultTable } from "./fault-table.ts";
import {
  cash,
  isFullTable,
  mobileMoney,
  replacingUnpaid,
  withCoupons,
  withDelivery,
} from "./payment-cases.ts";

const otherCases = [cash, mobileMoney, withCoupons(mobileMoney, 3)];
for (const method of [withDelivery(withCoupons(cash, 3)), ...(isFullTable ? otherCases : [])])
  faultTable(replacingUnpaid(method));
