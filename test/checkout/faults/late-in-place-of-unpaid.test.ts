import { lateTable, placing } from "./late-table.ts";
import { cash, inPlaceOfUnpaid } from "./methods.ts";

lateTable(inPlaceOfUnpaid(cash), [placing + 1]); // the unpaid one is read before
