import { faultTable } from "./fault-table.ts";
import { card } from "./payment-cases.ts";

faultTable(card);
