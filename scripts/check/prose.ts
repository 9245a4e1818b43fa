import type { ProjectFiles } from "./references.ts";
import type { Breach } from "./rules.ts";
import { lineAt } from "./source-tree.ts";

/** Archaic words for which technical English has plainer ones. */
const archaicWords =
  /\b(?:albeit|amongst|anew|beforehand|besides|else's|forthwith|hence|henceforth|herein|lest|sought|strangers?|thereby|therein|thereof|told|upon|whatever|whence|whereby|wherein|whilst|whoever|whom)\b/gi;

/**
 * Finds archaic words in Markdown documents and in source files: in comments, messages and the
 * titles of tests.
 */
export function proseBreaches(files: ProjectFiles): Breach[] {
  return [...files].flatMap(([path, text]) =>
    text === null || !/\.(?:tsx?|md)$/.test(path) || listsWords(path)
      ? []
      : [...text.matchAll(archaicWords)].map(({ 0: word, index }) => ({
          file: path,
          line: lineAt(text, index),
          message: `plain-words: "${word}" is archaic. Use a plainer word.`,
        })),
  );
}

/** These checks and their tests contain the words as data. */
const listsWords = (path: string): boolean => /^(?:scripts\/check|test\/scripts)\//.test(path);
