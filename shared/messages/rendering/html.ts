import type { Paragraph } from "./fill-text.ts";
import { toOneLine, toPlainLines } from "./plain-text.ts";
import type { BlockRow } from "./values.ts";

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => escapes[character] ?? character);

/** Mail programs that know no style sheet still show a readable page: the order is that of the text. */
const styles = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
body { margin: 0; padding: 24px 12px; background: #f3f4f6; color: #1f2328;
  font: 16px/1.5 -apple-system, "Segoe UI", Roboto, Helvetica, Arial, sans-serif; }
.page { max-width: 560px; margin: 0 auto; }
.name { margin: 0 0 16px; font-size: 15px; font-weight: 600; }
.card { padding: 28px 28px 12px; border: 1px solid #d9dde3; border-radius: 10px; background: #ffffff; }
p { margin: 0 0 16px; overflow-wrap: anywhere; }
.rows { width: 100%; margin: 0 0 16px; border-collapse: collapse; border-top: 1px solid #d9dde3; }
.rows + .rows { border-top: 0; }
td { padding: 8px 0; border-bottom: 1px solid #d9dde3; font: inherit; color: inherit;
  vertical-align: top; overflow-wrap: anywhere; }
td.amount { padding-left: 16px; text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
tr.total { font-weight: 600; }
blockquote { margin: 0 0 16px; padding: 2px 0 2px 14px; border-left: 3px solid #d9dde3;
  overflow-wrap: anywhere; }
.code { font-size: 30px; font-weight: 600; letter-spacing: 4px; font-variant-numeric: tabular-nums; }
.button { display: inline-block; padding: 10px 18px; border-radius: 8px; background: #1f2328;
  color: #ffffff; font-weight: 600; text-decoration: none; }
.footer { margin: 16px 4px 0; color: #57606a; font-size: 13px; }
.footer a { color: inherit; }
@media (prefers-color-scheme: dark) {
  body { background: #14171b; color: #e6e9ee; }
  .card { border-color: #343a42; background: #1d2126; }
  .rows, td, blockquote { border-color: #343a42; }
  .button { background: #e6e9ee; color: #14171b; }
  .footer { color: #9aa4b0; }
}
@media (max-width: 480px) { .card { padding: 20px 18px 6px; } }
`;

type Page = Readonly<{
  title: string;
  businessName: string;
  paragraphs: readonly Paragraph[];
  footer: string | null;
  locale: string;
  unsubscribeUrl?: string | null;
}>;

/**
 * The e-mail as HTML: no image and no script. Every text in it is escaped. Rows are a table, because
 * a program without style sheets would otherwise show an amount and a quantity as one number.
 */
export const renderHtml = ({
  title,
  businessName,
  paragraphs,
  footer,
  locale,
  unsubscribeUrl = null,
}: Page): string =>
  `<!doctype html>
<html lang="${escapeHtml(locale)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(title)}</title>
<style>${styles}</style>
</head>
<body>
<div class="page">
<p class="name">${escapeHtml(businessName)}</p>
<div class="card">
${paragraphs.map(renderParagraph).join("\n")}
</div>
${footer === null ? "" : `<p class="footer">${linesOf(footer.split("\n"))}</p>`}
${unsubscribeUrl === null ? "" : `<p class="footer"><a href="${escapeHtml(unsubscribeUrl)}">Unsubscribe</a> from reminders and notices like this one.</p>`}
</div>
</body>
</html>
`;

const linesOf = (lines: readonly string[]): string => lines.map(escapeHtml).join("<br>\n");

function renderParagraph(paragraph: Paragraph): string {
  if (paragraph.type === "lines") return `<p dir="auto">${linesOf(paragraph.lines)}</p>`;
  const { value } = paragraph;
  if (value.type === "link")
    return `<p><a class="button" href="${escapeHtml(value.url)}">${escapeHtml(value.label)}</a></p>`;
  if (value.type === "code") return `<p class="code">${escapeHtml(value.code)}</p>`;
  if (value.type === "quote")
    return `<blockquote dir="auto">${linesOf(toPlainLines(value.text))}</blockquote>`;
  return `<table class="rows" role="presentation" width="100%" cellspacing="0">
${value.rows.map(renderRow).join("\n")}
</table>`;
}

const renderRow = ({ label, amount, isTotal = false }: BlockRow): string =>
  `<tr${isTotal ? ' class="total"' : ""}><td>${escapeHtml(toOneLine(label))}</td>${
    amount === null ? "" : `<td class="amount" align="right">${escapeHtml(amount)}</td>`
  }</tr>`;
