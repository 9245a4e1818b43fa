import { type Db, errorText } from "../../database/index.ts";
import {
  type RowPage,
  readLayouts,
  rowsRepo,
  type TableLayout,
  toRowJson,
} from "../../moves/index.ts";
import { exportedLayouts } from "../format/exported-layouts.ts";
import { fenceHolderOf, type ImportJob } from "../job.ts";
import { BadLine } from "./rows/file-reader.ts";
import type { ReadRow } from "./rows/stored-rows.ts";

const maxRowsPerPage = 200;
const maxCharactersPerPage = 500_000;
const maxPagesPerBatch = 4;

/** What D1 says about a row that the schema refuses, and not about an outage. */
const refusedRow = /SQLITE_(?:CONSTRAINT|MISMATCH)|too big/i;

/** Inserts rows under the fence of an import. Rows that a run before has inserted stay as they are. */
export async function createRowInserter(db: Db, job: ImportJob) {
  const repo = rowsRepo(db, fenceHolderOf(job));
  const layouts = new Map(
    (await readLayouts(db, exportedLayouts)).map((layout) => [layout.table.name, layout]),
  );

  const toPage = (rows: readonly ReadRow[]): RowPage => {
    const layout = layoutOf(layouts, rows);
    return { layout, rows: rows.map(({ stored }) => toRowJson(layout, stored)), next: null };
  };

  /** Inserts the rows; when the schema refuses one, finds it by halves. @throws BadLine */
  async function insertPages(pages: readonly (readonly ReadRow[])[]): Promise<void> {
    try {
      await repo.insertMissing(pages.map(toPage));
    } catch (error) {
      const reason = errorText(error);
      if (!refusedRow.test(reason)) throw error;
      for (const rows of pages) await insertHalves(rows, pages.length > 1, reason);
    }
  }

  async function insertHalves(
    rows: readonly ReadRow[],
    isUntried: boolean,
    reason: string,
  ): Promise<void> {
    if (isUntried) return insertPages([rows]);
    const [first] = rows;
    if (first && rows.length === 1) {
      throw new BadLine(first.source.line, `${first.source.table}: ${reason.slice(0, 200)}`);
    }
    const half = Math.ceil(rows.length / 2);
    await insertPages([rows.slice(0, half)]);
    await insertPages([rows.slice(half)]);
  }

  return async (rows: readonly ReadRow[]): Promise<void> => {
    const pages = toPages(rows);
    for (let at = 0; at < pages.length; at += maxPagesPerBatch) {
      await insertPages(pages.slice(at, at + maxPagesPerBatch));
    }
  };
}

function layoutOf(
  layouts: ReadonlyMap<string, TableLayout>,
  [first]: readonly ReadRow[],
): TableLayout {
  const layout = layouts.get(first?.source.table ?? "");
  if (!layout) throw new Error(`No layout of ${first?.source.table}.`);
  return layout;
}

/** The rows in pages of one table each. */
function toPages(rows: readonly ReadRow[]): readonly (readonly ReadRow[])[] {
  const pages: ReadRow[][] = [];
  let characters = 0;
  for (const row of rows) {
    const page = pages.at(-1);
    const isOther = page?.[0]?.source.table !== row.source.table;
    if (!page || isOther || page.length >= maxRowsPerPage || characters >= maxCharactersPerPage) {
      pages.push([row]);
      characters = 0;
    } else page.push(row);
    characters += JSON.stringify(row.stored).length;
  }
  return pages;
}
