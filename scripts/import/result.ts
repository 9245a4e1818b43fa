import type { BusinessSchemas } from "../../sdk/src/index.ts";

const counts = [
  "rows",
  "products_created",
  "products_updated",
  "products_unchanged",
  "variants",
] as const;

type ImportResult = BusinessSchemas["Import"];

/** Formats the counts as a table, followed by the rejected rows. */
export function formatImportResult(
  result: ImportResult,
  { isDryRun }: { isDryRun: boolean },
): string {
  const title = isDryRun ? "Dry run: nothing was written" : `Import ${result.import_id}`;
  const lines = counts.map(
    (name) => `  ${name.replaceAll("_", " ").padEnd(20)}${String(result[name]).padStart(7)}`,
  );
  const { rejected, rejected_total: rejectedTotal } = result;
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
