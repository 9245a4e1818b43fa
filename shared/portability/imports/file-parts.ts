import type { PortabilityContext } from "../context.ts";
import type { ImportJob, ImportPosition, RowCounts } from "../job.ts";
import { partFiles } from "../part-files.ts";
import { BadLine, type FileRow, readRows } from "./rows/file-reader.ts";

/** A part of a file. */
export type FilePart = Readonly<{
  rows: readonly FileRow[];
  lineCount: number;
  /** The first line of the file, in its first part. */
  header: string | null;
}>;

/** Reads the part at the position of an import. @throws BadLine */
export async function readPart(
  ctx: Pick<PortabilityContext, "files">,
  job: ImportJob,
): Promise<FilePart> {
  const { part, parts, lines: before, lastTable } = job.position;
  const stored = await partFiles(ctx, job).get(part, 0);
  const lines = (await stored.text()).replace(/\n$/, "").split("\n");
  const header = part === 0 ? (lines[0] ?? "") : null;
  const end = part === parts - 1 ? lines.length - 1 : lines.length;
  const first = header === null ? 0 : 1;
  const range = { firstLine: before + first + 1, lastTable };
  return { rows: readRows(lines.slice(first, end), range), lineCount: lines.length, header };
}

/** The position of the check after a part. @throws BadLine */
export function withCheckedPart(
  position: ImportPosition,
  { rows, lineCount }: FilePart,
): ImportPosition {
  assertLocations(position, rows);
  const counts: Record<string, number> = { ...position.counts };
  for (const { table } of rows) counts[table] = (counts[table] ?? 0) + 1;
  return {
    ...position,
    part: position.part + 1,
    lines: position.lines + lineCount,
    lastTable: rows.at(-1)?.table ?? position.lastTable,
    counts: counts satisfies RowCounts,
    highestNumber: rows.reduce(
      (highest, row) => Math.max(highest, numberIn(row)),
      position.highestNumber,
    ),
  };
}

/** A business has one default location, which is not archived. They are all in the first part. */
function assertLocations({ part }: ImportPosition, rows: readonly FileRow[]): void {
  const locations = rows.filter(({ table }) => table === "locations");
  const [first] = locations;
  if (part > 0) {
    if (first) throw new BadLine(first.line, "locations: the file has too many.");
    return;
  }
  if (new Set(locations.map(({ row }) => row.id)).size < locations.length) {
    throw new BadLine(first?.line ?? 2, "locations: two have the same id.");
  }
  const defaults = locations.filter(({ row }) => row.is_default === true);
  if (defaults.length === 1 && defaults[0]?.row.archived_at === null) return;
  throw new BadLine(first?.line ?? 2, "locations: exactly one must be the default, not archived.");
}

/** The number at the end of an order number, after which the next order is numbered; else 0. */
function numberIn({ table, row }: FileRow): number {
  const number =
    table === "order_sequences"
      ? Number(row.last_number)
      : table === "orders"
        ? Number(/\d{1,12}$/.exec(String(row.order_number))?.[0] ?? 0)
        : 0;
  return number <= maxOrderNumber ? number : 0;
}

const maxOrderNumber = 999_999_999_999;
