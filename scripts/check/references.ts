import { posix } from "node:path";
import type { Breach } from "./rules.ts";
import { lineAt } from "./source-tree.ts";

/** The project's files by path from the root. The text is null when only the existence matters. */
export type ProjectFiles = ReadonlyMap<string, string | null>;

/** Documents that are not in the repository. A reader of a comment could not look them up. */
const absentDocuments =
  /\b(?:interface|completions|business-surface|platform-facts|language|style|commerce)\.md\b|(?<!docs\/)(?<!\]\()\barchitecture\.md\b|\b(?:interface|completions)\s+\d+\b/g;

const mentionedDocument = /\b(docs\/[\w/-]+\.md|[A-Z]{4,}\.md)(?:#([\w-]+))?/g;
const mentionedSource =
  /(?<![\w/.-])((?:shared|functions|scripts|bench|test|migrations)\/[\w./-]*\w\.(?:ts|sql|toml|json|csv|html|js))\b/g;
const link = /\]\((?!https?:|mailto:)([^)\s#]*)(?:#([^)\s]+))?\)/g;

/**
 * Finds references to files, sections and rules that do not exist. Searches the text of every
 * source file and the links of every Markdown document.
 */
export function referenceBreaches(files: ProjectFiles): Breach[] {
  const breaches: Breach[] = [];
  for (const [path, text] of files) {
    if (text === null || isGenerated(path)) continue;
    const report = (index: number, message: string) =>
      breaches.push({ file: path, line: lineAt(text, index), message });
    for (const match of text.matchAll(absentDocuments)) {
      report(match.index, `${match[0]} is not in the repository; refer to docs/contract instead.`);
    }
    if (isCodeWithFixtures(path)) continue;
    for (const match of text.matchAll(mentionedDocument)) {
      const missing = missingTarget(files, match[1] ?? "", match[2]);
      if (missing) report(match.index, missing);
    }
    for (const match of text.matchAll(mentionedSource)) {
      const target = match[1] ?? "";
      if (!files.has(target)) report(match.index, `${target} does not exist.`);
    }
    if (!path.endsWith(".md")) continue;
    for (const match of text.matchAll(link)) {
      const target = match[1] ? posix.join(posix.dirname(path), match[1]) : path;
      const missing = missingTarget(files, target.replace(/\/$/, ""), match[2]);
      if (missing) report(match.index, missing);
    }
  }
  return breaches;
}

const isGenerated = (path: string): boolean =>
  path === "package-lock.json" || path.endsWith("CHANGELOG.md") || path.includes("/meta/");

/** The tests of these checks contain invented paths as test data. */
const isCodeWithFixtures = (path: string): boolean => path.startsWith("test/scripts/");

function missingTarget(
  files: ProjectFiles,
  target: string,
  anchor: string | undefined,
): string | null {
  if (!files.has(target)) return isFolder(files, target) ? null : `${target} does not exist.`;
  if (anchor === undefined || !target.endsWith(".md")) return null;
  const text = files.get(target) ?? "";
  return anchorsOf(text).has(anchor) ? null : `${target} has no anchor #${anchor}.`;
}

const isFolder = (files: ProjectFiles, target: string): boolean =>
  [...files.keys()].some((path) => path.startsWith(`${target}/`));

/** The anchors of a document: explicit ones, and those that GitHub derives from headings. */
export function anchorsOf(markdown: string): ReadonlySet<string> {
  const explicit = [...markdown.matchAll(/<a id="([\w-]+)">/g)].map((match) => match[1] ?? "");
  const headings = [...markdown.matchAll(/^#{1,6}\s+(.+)$/gm)].map((match) =>
    (match[1] ?? "")
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .trim()
      .replace(/\s/g, "-"),
  );
  return new Set([...explicit, ...headings]);
}
