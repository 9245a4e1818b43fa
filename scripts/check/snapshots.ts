/** The names of the tables that two of drizzle-kit's snapshots describe differently. */
export function tablesApart(before: unknown, after: unknown): string[] {
  const older = tablesOf(before);
  const newer = tablesOf(after);
  const names = [...new Set([...older.keys(), ...newer.keys()])].sort();
  return names.filter((name) => older.get(name) !== newer.get(name));
}

function tablesOf(snapshot: unknown): Map<string, string> {
  const tables = isRecord(snapshot) && isRecord(snapshot.tables) ? snapshot.tables : {};
  return new Map(Object.entries(tables).map(([name, table]) => [name, JSON.stringify(table)]));
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;
