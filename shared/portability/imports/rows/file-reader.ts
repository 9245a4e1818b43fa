import { z } from "zod";
import { isDeeperThan, parseJson } from "../../../kernel/index.ts";
import { fileTables, listedTables } from "../../format/exported-tables.ts";
import { fileColumns } from "../../format/file-tables-query.ts";
import { columnSchemaOf } from "./column-schemas.ts";

/** The row of a line, as the file has it. */
export type FileRow = Readonly<{
  line: number;
  table: string;
  row: Readonly<Record<string, unknown>>;
}>;

/** A line that cannot be imported. */
export class BadLine extends Error {
  readonly line: number | null;

  constructor(line: number | null, reason: string) {
    super(reason);
    this.line = line;
  }
}

const maxDepth = 20;
const rowSchemas = new Map<string, z.ZodObject>();

/** The schema of a table's rows: every column that a file has, and no other. */
function rowSchemaOf(table: string): z.ZodObject {
  const known = rowSchemas.get(table);
  if (known) return known;
  const columns = fileColumns.get(table) ?? [];
  const shape = columns.map((column) => {
    const schema = columnSchemaOf(table, column);
    return [column.name, column.isOptional ? schema.optional() : schema] as const;
  });
  const schema = z.strictObject(Object.fromEntries(shape));
  rowSchemas.set(table, schema);
  return schema;
}

const Line = z.strictObject({
  table: z.string(),
  row: z.record(z.string(), z.unknown()),
});

/**
 * Reads the rows of a part of a file.
 *
 * @param lastTable the table of the line before, because a table's rows follow those they refer to.
 * @throws BadLine
 */
export function readRows(
  lines: readonly string[],
  { firstLine, lastTable }: Readonly<{ firstLine: number; lastTable: string | null }>,
): readonly FileRow[] {
  let position = lastTable === null ? 0 : fileTables.indexOf(lastTable);
  return lines.map((text, index) => {
    const line = firstLine + index;
    const { table, row } = parseLine(text, line);
    const next = fileTables.indexOf(table);
    if (next === -1) throw new BadLine(line, `${quote(table)} is no table of an export.`);
    if (next < position)
      throw new BadLine(line, `${table} must come before ${fileTables[position]}.`);
    position = next;
    // Nothing of them is imported.
    return { line, table, row: listedTables.includes(table) ? row : validRow(table, row, line) };
  });
}

function parseLine(text: string, line: number): z.infer<typeof Line> {
  const json = parseJson(text);
  if (json === undefined || isDeeperThan(maxDepth, json)) throw new BadLine(line, "is not JSON.");
  const parsed = Line.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new BadLine(line, 'must be {"table": …, "row": {…}}.');
}

function validRow(table: string, row: Readonly<Record<string, unknown>>, line: number) {
  const parsed = rowSchemaOf(table).safeParse(row);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = [table, ...(issue?.path ?? [])].map(String).join(".");
  throw new BadLine(line, `${quote(place)}: ${(issue?.message ?? "is not valid").slice(0, 200)}`);
}

/** A text of the file in a message, which is bounded. */
const quote = (text: string): string => text.slice(0, 100);
