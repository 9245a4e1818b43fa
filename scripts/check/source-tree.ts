export type Import = Readonly<{
  line: number;
  specifier: string;
  /** The imported file's path from the root. Undefined when a package is imported. */
  target: string | undefined;
  /**
   * When the import is loaded: with the importing file, on first use (`import()`), or never
   * (types).
   */
  loads: "with_file" | "on_use" | "never";
}>;

export type SourceFile = Readonly<{
  path: string;
  /**
   * The text with spaces in place of comments, because a comment about a rule must not break that
   * rule.
   */
  code: string;
  /**
   * The code with spaces in place of quoted strings. Templates are kept, because they may contain
   * code.
   */
  bare: string;
  /** The comments and their first lines. Each `//` line is a comment of its own. */
  comments: readonly Readonly<{ line: number; text: string }>[];
  imports: readonly Import[];
}>;

/** Source files by path. */
export type SourceTree = ReadonlyMap<string, SourceFile>;

/** Parses files. `texts` maps each path from the root (with `/`) to the file's text. */
export function parseTree(texts: ReadonlyMap<string, string>): SourceTree {
  const paths = [...texts.keys()].sort();
  return new Map(paths.map((path) => [path, parseFile(path, texts.get(path) ?? "")]));
}

export function lineAt(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
}

const comment = String.raw`\/\/[^\n]*|\/\*[\s\S]*?\*\/`;
const quoted = String.raw`"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'`;
const template = "`(?:\\\\[\\s\\S]|[^`\\\\])*`";
const commentOrText = new RegExp(`(${comment})|(${quoted})|${template}`, "g");

const importForms = [
  /\b(?:import|export)\b(?:[\s{][\w\s{},*$]*?\bfrom)?\s*["']([^"'\n]+)["']/g,
  /\bimport\s*\(\s*["'`]([^"'`\n]+)["'`]/g,
];
const typeImport = /^(?:import|export)\s+type\b/;
const dynamicImport = /^import\s*\(/;

function parseFile(path: string, text: string): SourceFile {
  const code = text.replace(commentOrText, (all, note?: string) => (note ? blank(all) : all));
  const bare = text.replace(commentOrText, (all, note?: string, quote?: string) =>
    note || quote ? blank(all) : all,
  );
  return { path, code, bare, comments: commentsIn(text), imports: importsIn(path, code) };
}

const blank = (text: string) => text.replace(/[^\n]/g, " ");

function commentsIn(text: string): SourceFile["comments"] {
  return [...text.matchAll(commentOrText)].flatMap(({ 1: note, index }) =>
    note === undefined ? [] : [{ line: lineAt(text, index), text: note }],
  );
}

function importsIn(path: string, code: string): Import[] {
  const matches = importForms.flatMap((form) => [...code.matchAll(form)]);
  return matches
    .map((match) => ({
      line: lineAt(code, match.index + match[0].length),
      specifier: match[1] ?? "",
      target: targetOf(path, match[1] ?? ""),
      loads: loadTimeOf(match[0]),
    }))
    .sort((a, b) => a.line - b.line);
}

function loadTimeOf(statement: string): Import["loads"] {
  if (dynamicImport.test(statement)) return "on_use";
  return typeImport.test(statement) ? "never" : "with_file";
}

function targetOf(path: string, specifier: string): string | undefined {
  if (!specifier.startsWith(".")) return undefined;
  const parts = path.split("/").slice(0, -1);
  for (const step of specifier.split("/")) {
    if (step === "..") parts.pop();
    else if (step !== ".") parts.push(step);
  }
  return parts.join("/");
}
