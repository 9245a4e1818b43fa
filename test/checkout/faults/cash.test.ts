import { faultTable } from "./fault-table.ts";
import { cash } from "./methods.ts";

faultTable(cash);
