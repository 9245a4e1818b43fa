import { useMemo } from "react";
import "./messages.css";

/**
 * Shows an e-mail in a frame that runs no script and opens no page. The frame has the console's
 * policy, which forbids style text, so the e-mail's styles are set from here.
 */
export function EmailFrame({ html }: Readonly<{ html: string }>) {
  const { page, styles } = useMemo(() => splitStyles(html), [html]);
  return (
    <iframe
      className="email-frame"
      title="E-mail"
      sandbox="allow-same-origin"
      srcDoc={page}
      onLoad={({ currentTarget: { contentDocument, contentWindow } }) => {
        if (!(contentDocument && contentWindow)) return;
        const sheet = new (sheetClassOf(contentWindow))();
        sheet.replaceSync(styles);
        contentDocument.adoptedStyleSheets = [sheet];
      }}
    />
  );
}

/** A style sheet belongs to the window whose class made it. */
const sheetClassOf = (target: Window & Partial<typeof globalThis>): typeof CSSStyleSheet =>
  target.CSSStyleSheet ?? CSSStyleSheet;

/** The texts in an e-mail are escaped, so its only style element is its own. */
function splitStyles(html: string): Readonly<{ page: string; styles: string }> {
  const [, before = html, styles = "", after = ""] =
    /^([\s\S]*?)<style>([\s\S]*?)<\/style>([\s\S]*)$/.exec(html) ?? [];
  const noPopups = '<base target="_blank">'; // a click on a link opens nothing
  return { page: before.replace("<head>", `<head>${noPopups}`) + after, styles };
}
