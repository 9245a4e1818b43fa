/** Formats a table. The first column is aligned to the left, all others to the right. */
export function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, ...rows];
  const widths = head.map((_, column) =>
    Math.max(...lines.map((cells) => cells[column]?.length ?? 0)),
  );
  const padCell = (cell: string, column: number) =>
    column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0);
  const texts = lines.map((cells) => cells.map(padCell).join("  ").trimEnd());
  const rule = "-".repeat(Math.max(...texts.map(({ length }) => length)));
  return [texts[0], rule, ...texts.slice(1)].join("\n");
}
