export type { MoveContext } from "./context.ts";
export { fenceRepo } from "./fence-repo.ts";
export { hasEnded, type Move, movePhases, waitMs } from "./move.ts";
export { moveBusiness } from "./move-business.ts";
export { deleteMoves } from "./move-repo.ts";
export { derivedTables, type MovedTable, movedTables, shardTables } from "./moved-tables.ts";
export { createRowsEraser } from "./rows-eraser.ts";
export { type RowPage, readLayouts, rowsRepo, type TableLayout, toRowJson } from "./rows-repo.ts";
