import type { MessageSettings } from "../settings.ts";
import type { TemplateTexts } from "../templates/built-in.ts";
import { fillBody, fillOneLine, type Paragraph } from "./fill-text.ts";
import { renderHtml } from "./html.ts";
import { toTextParagraph, type VariableValues } from "./values.ts";

/** A message as it is sent. */
export type RenderedMessage = Readonly<{
  subject: string;
  html: string;
  text: string;
  /** Null for a message without SMS. */
  sms: string | null;
}>;

type Rendering = Readonly<{
  template: TemplateTexts;
  values: VariableValues;
  businessName: string;
  settings: Pick<MessageSettings, "footer" | "locale">;
  unsubscribeUrl?: string | null;
}>;

/** More would be cut into more than ten parts. */
const maxSmsLength = 1_000;

/** Fills in a template. Texts of customers and businesses are escaped in HTML. */
export function renderMessage({
  template,
  values,
  businessName,
  settings: { footer, locale },
  unsubscribeUrl = null,
}: Rendering): RenderedMessage {
  const subject = fillOneLine(template.subject, values);
  const paragraphs = fillBody(template.body, values);
  const unsubscribe = unsubscribeUrl === null ? [] : [`Unsubscribe: ${unsubscribeUrl}`];
  const ending = [...(footer === null ? [] : [footer]), ...unsubscribe];
  const text = [
    ...paragraphs.map(textOf),
    ...(ending.length === 0 ? [] : [`-- \n${ending.join("\n")}`]),
  ];
  return {
    subject,
    html: renderHtml({ title: subject, businessName, paragraphs, footer, locale, unsubscribeUrl }),
    text: `${text.join("\n\n")}\n`,
    sms:
      template.smsBody === null
        ? null
        : fillOneLine(template.smsBody, values).slice(0, maxSmsLength).toWellFormed(),
  };
}

const textOf = (paragraph: Paragraph): string =>
  paragraph.type === "lines" ? paragraph.lines.join("\n") : toTextParagraph(paragraph.value);
