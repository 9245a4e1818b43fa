import type { Import, SourceFile, SourceTree } from "./source-tree.ts";

export type Rule = Readonly<{
  name: string;
  /** What holds, in one sentence; it ends every report of the rule. */
  says: string;
  check: (tree: SourceTree) => readonly Finding[];
}>;

export type Finding = Readonly<{ file: string; line: number; found: string }>;

type Judge = (imported: Import, file: SourceFile, tree: SourceTree) => string | undefined;

/** A check that judges imports one by one; the judge says what is wrong, or nothing. */
export function eachImport(judge: Judge): Rule["check"] {
  return (tree) =>
    [...tree.values()].flatMap((file) =>
      file.imports.flatMap((imported) => {
        const found = judge(imported, file, tree);
        return found === undefined ? [] : [{ file: file.path, line: imported.line, found }];
      }),
    );
}
