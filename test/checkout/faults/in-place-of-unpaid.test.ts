import { faultTable } from "./fault-table.ts";
import { cash, inPlaceOfUnpaid, isWhole, mobileMoney } from "./methods.ts";

for (const method of [cash, ...(isWhole ? [mobileMoney] : [])]) faultTable(inPlaceOfUnpaid(method));
