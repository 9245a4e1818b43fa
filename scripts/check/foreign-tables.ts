import { areaOf, isShared } from "./areas.ts";
import type { Finding } from "./rule.ts";
import { lineAt, type SourceFile, type SourceTree } from "./source-tree.ts";

/** How many lines above the SQL the comment may start. */
const commentDistance = 25;

const tableDeclaration = /\bsqliteTable\(\s*"(\w+)"/g;
/** Finds the tables that a Durable Object creates. Such a table may have the name of a D1 table. */
const objectTable = /\bcreate table (?:if not exists )?(\w+)/gi;
const tableInSql = /\b(?:from|join|into|update)\s+(?:\w+(?:\s+as\s+\w+)?\s*,\s*)?(\w+)\b/g;

/**
 * Finds raw SQL that names a table of another area, unless a comment above the SQL says so. The
 * comment must name the table and its area, such as "Reads order_lines of orders.".
 */
export function foreignTablesIn(tree: SourceTree): Finding[] {
  const areaByTable = new Map(
    [...tree.values()]
      .filter(({ path }) => isShared(path) && path.endsWith("/tables.ts"))
      .flatMap(({ path, code }) =>
        [...code.matchAll(tableDeclaration)].map(
          ([, table = ""]) => [table, areaOf(path)] as const,
        ),
      ),
  );
  const objectTables = new Set(
    [...tree.values()].flatMap(({ path, code }) =>
      [...code.matchAll(objectTable)].map(([, table]) => `${areaOf(path)} ${table}`),
    ),
  );
  return [...tree.values()]
    .filter(({ path }) => isShared(path))
    .flatMap((file) =>
      [...file.code.matchAll(tableInSql)].flatMap((match) => {
        const [, table = ""] = match;
        const area = areaByTable.get(table);
        const line = lineAt(file.code, match.index);
        if (area === undefined || area === areaOf(file.path)) return [];
        if (objectTables.has(`${areaOf(file.path)} ${table}`)) return [];
        if (isDocumented(file, { table, area, line })) return [];
        return [{ file: file.path, line, found: `names ${table} of ${area}` }];
      }),
    );
}

function isDocumented(
  { comments }: SourceFile,
  { table, area, line }: Readonly<{ table: string; area: string; line: number }>,
): boolean {
  const areaMention = new RegExp(String.raw`\bof ${area}\b|\bshared\/${area}\b|\b${area}'s`, "g");
  const isNamed = (text: string) =>
    text.includes(area) && new RegExp(String.raw`\b${table}\b`).test(text.replace(areaMention, ""));
  return comments.some(
    (comment) =>
      comment.line <= line &&
      comment.line >= line - commentDistance &&
      /\b(?:reads|writes|updates|deletes)\b/i.test(comment.text) &&
      isNamed(comment.text),
  );
}
