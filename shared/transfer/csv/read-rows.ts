import { type FieldIssue, invalid, textOfCsvCell, utf8Bytes } from "../../kernel/index.ts";
import { requiredColumns } from "./columns.ts";
import { type CsvRecord, readRecords } from "./read-records.ts";

/** The cells of a row by column name. Empty cells are left out. */
export type CsvRow = Readonly<{
  line: number;
  values: ReadonlyMap<string, string>;
  issue: FieldIssue | null;
}>;

const maxRows = 100_000;
const maxFieldBytes = 64 * 1024;

/**
 * Reads the rows after the header of a product CSV. Empty rows are skipped.
 *
 * @throws Refusal VALIDATION_ERROR when the header is not that of a product CSV.
 */
export async function* readRows(stream: ReadableStream<Uint8Array>): AsyncGenerator<CsvRow> {
  let header: readonly string[] | null = null;
  let rows = 0;
  for await (const record of readRecords(stream)) {
    if (header === null) {
      header = readHeader(record);
      continue;
    }
    const row = readRow(header, record);
    if (row.values.size === 0 && row.issue === null) continue;
    rows += 1;
    if (rows > maxRows) {
      const message = `a file may have ${maxRows} rows; it was not read on from here`;
      yield { line: row.line, values: new Map(), issue: { field: "", message } };
      return;
    }
    yield row;
  }
  if (header === null) throw invalid("file", "is empty; a product CSV was expected");
}

function readHeader({ cells, error }: CsvRecord): readonly string[] {
  const header = cells.map((cell) => textOfCsvCell(cell.trim()));
  const missing = requiredColumns.filter((column) => !header.includes(column));
  if (error !== null || missing.length > 0) {
    throw invalid("file", `is not a product CSV: its header has no ${missing.join(", ")}`);
  }
  const repeated = header.find(
    (column, index) => column !== "" && header.indexOf(column) !== index,
  );
  if (repeated !== undefined) throw invalid("file", `has the column ${repeated} twice`);
  return header;
}

function readRow(header: readonly string[], { line, cells, error }: CsvRecord): CsvRow {
  const values = new Map<string, string>();
  for (const [index, cell] of cells.entries()) {
    const column = header[index];
    if (column && cell !== "") values.set(column, textOfCsvCell(cell));
  }
  if (error !== null) return { line, values, issue: { field: "", message: error } };
  if (values.size === 0) return { line, values, issue: null };
  return { line, values, issue: cellCountIssue(header, cells) ?? cellIssue(values) };
}

function cellCountIssue(header: readonly string[], cells: readonly string[]): FieldIssue | null {
  if (cells.length === header.length) return null;
  return { field: "", message: `the row has ${cells.length} cells, the header ${header.length}` };
}

function cellIssue(values: ReadonlyMap<string, string>): FieldIssue | null {
  for (const [field, cell] of values) {
    if (isTooLong(cell)) return { field, message: "is longer than 64 KiB" };
    if (cell.includes("\ufffd")) return { field, message: "is not UTF-8 text" };
    if (controlCharacter.test(cell)) return { field, message: "contains a control character" };
  }
  return null;
}

/** Any control character except tabs and line ends, which a cell may contain. */
const controlCharacter = /[^\P{Cc}\t\n\r]/u;

/**
 * Measures a cell in bytes. Most cells are short enough to skip the encoding, because a UTF-16 unit
 * takes at most three bytes.
 */
const isTooLong = (cell: string): boolean =>
  cell.length > maxFieldBytes / 3 && utf8Bytes(cell) > maxFieldBytes;
