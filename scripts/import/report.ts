import { record, records, text } from "../seed/api.ts";

const counts = [
  "rows",
  "products_created",
  "products_updated",
  "products_unchanged",
  "variants",
] as const;

export type ImportAnswer = Readonly<{
  id: string;
  counts: Readonly<Record<(typeof counts)[number], number>>;
  /** All of them, though only the first thousand are listed. */
  rejectedTotal: number;
  rejected: readonly Readonly<{ row: number; field: string; message: string }>[];
}>;

export function parseImport(body: string): ImportAnswer {
  const data = record(record(JSON.parse(body)).data);
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
    rejected: records(data.rejected).map(({ row, field, message }) => ({
      row: Number(row),
      field: typeof field === "string" ? field : "",
      message: text(message),
    })),
  };
}

/** The answer as a small table, the rejected rows below it. */
export function importReport(answer: ImportAnswer, { isDryRun }: { isDryRun: boolean }): string {
  const title = isDryRun ? "Dry run: nothing was written" : `Import ${answer.id}`;
  const lines = counts.map(
    (name) => `  ${name.replaceAll("_", " ").padEnd(20)}${String(answer.counts[name]).padStart(7)}`,
  );
  const { rejected, rejectedTotal } = answer;
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
