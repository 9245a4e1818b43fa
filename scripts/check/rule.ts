import type { Import, SourceFile, SourceTree } from "./source-tree.ts";

export type Rule = Readonly<{
  name: string;
  /** The rule in one sentence; every report of a breach ends with it. */
  statement: string;
  findBreaches: (tree: SourceTree) => readonly Finding[];
}>;

/** A breach; `found` completes "<rule>: … . <statement>". */
export type Finding = Readonly<{ file: string; line: number; found: string }>;

type ImportCheck = (imported: Import, file: SourceFile, tree: SourceTree) => string | undefined;

/** Checks every import separately; the check returns what is wrong, or undefined. */
export function eachImport(check: ImportCheck): Rule["findBreaches"] {
  return (tree) =>
    [...tree.values()].flatMap((file) =>
      file.imports.flatMap((imported) => {
        const found = check(imported, file, tree);
        return found === undefined ? [] : [{ file: file.path, line: imported.line, found }];
      }),
    );
}
