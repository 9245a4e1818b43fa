import { toOneLine } from "./plain-text.ts";
import type { VariableValues } from "./values.ts";

type Values = Readonly<Record<string, string | undefined>>;

/** The variables of a message with a one-time code. */
export const codeValues = ({ code = "", minutes = "" }: Values): VariableValues => ({
  code: { type: "code", code },
  minutes,
});

/** The variables of an invitation to work for a business. */
export const invitationValues = ({ role = "", console_url: url }: Values): VariableValues => ({
  role,
  console_url: url === undefined ? null : { type: "link", label: "Log in", url },
});

/** The name on one line, cut so that a code fits in one SMS and no name is a message of its own. */
export const shortName = (name: string): string =>
  toOneLine(name).slice(0, 60).toWellFormed().trimEnd();
