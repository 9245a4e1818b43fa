import { faultTable } from "./fault-table.ts";
import { card } from "./methods.ts";

faultTable(card);
