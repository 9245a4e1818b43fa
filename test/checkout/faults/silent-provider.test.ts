import { faultTable } from "./fault-table.ts";
import { silentProvider } from "./payment-cases.ts";

faultTable(silentProvider);
