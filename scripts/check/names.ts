import type { Breach } from "./rules.ts";
import { lineAt, parseTree, type SourceFile } from "./source-tree.ts";

/**
 * Participles that do not end in "ed". A function named by a participle does not say what it does.
 */
const irregularParticiples = new Set(
  "been begun bought brought built caught chosen done drawn driven fallen felt forgotten found given gone gotten grown heard held hidden hung kept known laid led left lent lost made meant met paid risen said seen sent shown slept sold spent spoken stood stolen sworn taken taught thought thrown told understood undone won worn written".split(
    " ",
  ),
);

/** Verbs, nouns and adjectives that end in "ed" without being participles. */
const notParticiples = new Set("embed exceed feed need proceed seed shed speed succeed".split(" "));

/**
 * Words that earlier versions of this code used for several different terms. A reader could not
 * know which term was meant (docs/glossary.md).
 */
const bannedWords = new Set(
  "alongside asked beforehand begun besides dice essence nudge patience patient sought standing strangers thereof told whatever whence whoever".split(
    " ",
  ),
);

/** Names that are not allowed as a whole name, because they say nothing about what they hold. */
const bannedNames = new Set(
  "Asked Begun Driver Found Given Heard Known Means Named Owner Place Ran Scope Shown Sought Standing Told Turn Wanted".split(
    " ",
  ),
);

/** Names of handlers that the Cloudflare platform defines. */
const platformHandlers = new Set(["scheduled"]);

/**
 * The most files that may declare a local type of one name. In more files, the name has several
 * meanings.
 */
const maxFilesDeclaringAType = 3;

/** The words of a camelCase, PascalCase or CONSTANT_CASE name, in lower case. */
export function wordsOf(name: string): string[] {
  const spaced = name.replace(/_/g, " ").replace(/([a-z0-9])([A-Z])/g, "$1 $2");
  return spaced.toLowerCase().split(/\s+/).filter(Boolean);
}

const isParticiple = (word: string): boolean =>
  irregularParticiples.has(word) ||
  (word.length > 3 && word.endsWith("ed") && !notParticiples.has(word));

const declarations =
  /(?<!\.)\b(?:const|let|function|class|interface)\s+(?:\*\s*)?([A-Za-z_$][\w$]*)|\btype\s+([A-Z]\w*)(?=\s*[<=])/g;
const typeDeclarations =
  /^[ \t]*(?:export\s+)?(?:type\s+([A-Z]\w*)(?=\s*[<=])|(?:interface|class)\s+([A-Z]\w*))/gm;
const effectForms: readonly RegExp[] = [
  /\basync\s+function\s+([a-z]\w*)/g,
  /\b(?:const|let)\s+([a-z]\w*)\s*(?::[^=;]+)?=\s*async\b/g,
  /^\s*(?:(?:public|private|override|static)\s+)*async\s+#?([a-z]\w*)\s*[(<]/gm,
  /^\s+([a-z]\w*):\s*async\b/gm,
  /\bfunction\s+([a-z]\w*)\s*(?:<[^()]*>)?\([^()]*\)\s*:\s*(?:Promise\b|void\b|never\b)/g,
];

/**
 * Finds names that break docs/glossary.md: asynchronous functions or functions with effects that
 * are named by a participle, banned words, and types that four or more files declare.
 */
export function nameBreaches(texts: ReadonlyMap<string, string>): Breach[] {
  const files = [...parseTree(texts).values()];
  return [
    ...files.flatMap(participlesIn),
    ...files.flatMap(bannedNamesIn),
    ...repeatedTypes(files),
  ].sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line);
}

function participlesIn({ path, bare }: SourceFile): Breach[] {
  const names = effectForms.flatMap((form) => [...bare.matchAll(form)]);
  const found = new Map<string, Breach>();
  for (const match of names) {
    const name = match[1] ?? "";
    if (platformHandlers.has(name) || !isParticiple(wordsOf(name)[0] ?? "")) continue;
    const line = lineAt(bare, match.index + match[0].lastIndexOf(name));
    const message = `verb-first: ${name} has effects or is asynchronous. Begin its name with an imperative verb.`;
    found.set(`${line} ${name}`, { file: path, line, message });
  }
  return [...found.values()];
}

function bannedNamesIn({ path, bare }: SourceFile): Breach[] {
  return [...bare.matchAll(declarations)].flatMap((match) => {
    const name = match[1] ?? match[2] ?? "";
    const word = wordsOf(name).find((part) => bannedWords.has(part));
    if (word === undefined && !bannedNames.has(name)) return [];
    const line = lineAt(bare, match.index);
    const reason = word === undefined ? "says nothing about its content" : `contains "${word}"`;
    return [{ file: path, line, message: `plain-names: ${name} ${reason}. Use the field's term.` }];
  });
}

function repeatedTypes(files: readonly SourceFile[]): Breach[] {
  const declared = new Map<string, { file: string; line: number }[]>();
  for (const { path, bare } of files) {
    const seen = new Set<string>();
    for (const match of bare.matchAll(typeDeclarations)) {
      const name = match[1] ?? match[2] ?? "";
      if (seen.has(name)) continue;
      seen.add(name);
      declared.set(name, [
        ...(declared.get(name) ?? []),
        { file: path, line: lineAt(bare, match.index) },
      ]);
    }
  }
  return [...declared].flatMap(([name, places]) =>
    places.length <= maxFilesDeclaringAType
      ? []
      : places.map(({ file, line }) => ({
          file,
          line,
          message: `one-meaning: ${places.length} files declare a type ${name}. Name each for its domain.`,
        })),
  );
}
