import { lateTable, placing } from "./late-table.ts";
import { cash } from "./methods.ts";

lateTable(cash, [placing]);
