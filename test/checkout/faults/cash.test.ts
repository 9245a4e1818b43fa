import { faultTable } from "./fault-table.ts";
import { cash } from "./payment-cases.ts";

faultTable(cash);
