import { asRecord, asRecords, asText } from "../seed/api-client.ts";

const counts = [
  "rows",
  "products_created",
  "products_updated",
  "products_unchanged",
  "variants",
] as const;

export type ImportResult = Readonly<{
  id: string;
  counts: Readonly<Record<(typeof counts)[number], number>>;
  /** The number of all rejected rows. `rejected` contains only the first thousand. */
  rejectedTotal: number;
  rejected: readonly Readonly<{ row: number; field: string; message: string }>[];
}>;

export function parseImportResult(body: string): ImportResult {
  const data = asRecord(asRecord(JSON.parse(body)).data);
  const count = (name: (typeof counts)[number]) => Number(data[name] ?? 0);
  return {
    id: typeof data.import_id === "string" ? data.import_id : "",
    counts: {
      rows: count("rows"),
      products_created: count("products_created"),
      products_updated: count("products_updated"),
      products_unchanged: count("products_unchanged"),
      variants: count("variants"),
    },
    rejectedTotal: Number(data.rejected_total ?? 0),
    rejected: asRecords(data.rejected).map(({ row, field, message }) => ({
      row: Number(row),
      field: typeof field === "string" ? field : "",
      message: asText(message),
    })),
  };
}

/** Formats the counts as a table, followed by the rejected rows. */
export function formatImportResult(
  result: ImportResult,
  { isDryRun }: { isDryRun: boolean },
): string {
  const title = isDryRun ? "Dry run: nothing was written" : `Import ${result.id}`;
  const lines = counts.map(
    (name) => `  ${name.replaceAll("_", " ").padEnd(20)}${String(result.counts[name]).padStart(7)}`,
  );
  const { rejected, rejectedTotal } = result;
  if (rejected.length === 0) return [title, ...lines, "  rejected                  0"].join("\n");
  const width = Math.max(...rejected.map(({ field }) => field.length), "field".length);
  return [
    title,
    ...lines,
    `  rejected            ${String(rejectedTotal).padStart(7)}`,
    "",
    `  ${"row".padStart(5)}  ${"field".padEnd(width)}  message`,
    ...rejected.map(
      ({ row, field, message }) =>
        `  ${String(row).padStart(5)}  ${field.padEnd(width)}  ${message}`,
    ),
  ].join("\n");
}
