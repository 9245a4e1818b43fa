import type { Import, SourceFile, SourceTree } from "./source-tree.ts";

export type Rule = Readonly<{
  name: string;
  /** The rule in one sentence, with which every report of a breach ends. */
  statement: string;
  findBreaches: (tree: SourceTree) => readonly Finding[];
}>;

/** One breach of a rule. `found` is inserted into the message "<rule>: <found>. <statement>". */
export type Finding = Readonly<{ file: string; line: number; found: string }>;

type ImportCheck = (imported: Import, file: SourceFile, tree: SourceTree) => string | undefined;

/**
 * Creates a rule about single imports. `check` returns what is wrong with an import, or undefined.
 */
export function eachImport(check: ImportCheck): Rule["findBreaches"] {
  return (tree) =>
    [...tree.values()].flatMap((file) =>
      file.imports.flatMap((imported) => {
        const found = check(imported, file, tree);
        return found === undefined ? [] : [{ file: file.path, line: imported.line, found }];
      }),
    );
}
