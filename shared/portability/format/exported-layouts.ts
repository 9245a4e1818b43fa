import { type MovedTable, movedTables } from "../../moves/index.ts";
import { exportedTables } from "./exported-tables.ts";

/** The exported tables with their businesses, in the order of a file. */
export const exportedLayouts: readonly MovedTable[] = exportedTables.map((name) => {
  const moved = movedTables.find((table) => table.name === name);
  if (!moved) throw new Error(`${name} is no table of a business.`);
  return moved;
});
