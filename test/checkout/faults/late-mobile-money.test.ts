import { lateTable, placing } from "./late-table.ts";
import { card, isWhole, mobileMoney } from "./methods.ts";

lateTable(mobileMoney, isWhole ? [placing, 2, 3] : [placing]);
if (isWhole) lateTable(card, [placing]); // differs in the provider's word alone
