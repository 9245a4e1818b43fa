import { faultTable } from "./fault-table.ts";
import { silentProvider } from "./methods.ts";

faultTable(silentProvider);
