export type Import = Readonly<{
  line: number;
  specifier: string;
  /** The file that a relative specifier names, from the root; undefined for a package. */
  target: string | undefined;
  /** When it takes effect: with the importing file, once that asks for it, or in types alone. */
  when: "at once" | "later" | "never";
}>;

export type SourceFile = Readonly<{
  path: string;
  /** The text with comments blanked out, so that prose about a rule does not break it. */
  code: string;
  /** The code with quoted strings blanked out too; what a template holds may be code, and stays. */
  bare: string;
  imports: readonly Import[];
}>;

export type SourceTree = ReadonlyMap<string, SourceFile>;

/** Reads a tree given as path from the root (with `/`) to text. */
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
const ofTypes = /^(?:import|export)\s+type\b/;
const asked = /^import\s*\(/;

function parseFile(path: string, text: string): SourceFile {
  const code = text.replace(commentOrText, (all, note?: string) => (note ? blank(all) : all));
  const bare = text.replace(commentOrText, (all, note?: string, quote?: string) =>
    note || quote ? blank(all) : all,
  );
  return { path, code, bare, imports: importsOf(path, code) };
}

const blank = (text: string) => text.replace(/[^\n]/g, " ");

function importsOf(path: string, code: string): Import[] {
  const found = importForms.flatMap((form) => [...code.matchAll(form)]);
  return found
    .map((match) => ({
      line: lineAt(code, match.index + match[0].length),
      specifier: match[1] ?? "",
      target: targetOf(path, match[1] ?? ""),
      when: whenOf(match[0]),
    }))
    .sort((one, other) => one.line - other.line);
}

function whenOf(statement: string): Import["when"] {
  if (asked.test(statement)) return "later";
  return ofTypes.test(statement) ? "never" : "at once";
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
