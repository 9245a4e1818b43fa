import { notesOnMissingSettings, type Settings } from "./settings.ts";

const indented = (lines: readonly string[]): string => lines.map((line) => `  ${line}`).join("\n");

/** What the dry run prints about an account. */
export const describePlan = (environment: string, titles: readonly string[]): string =>
  `npm run deploy${environment === "production" ? "" : ` -- --env ${environment}`} would\n\n${indented(titles)}`;

/** What a deployment prints when it is done. */
export function describeDeployment({
  origin,
  settings,
  settingsPath,
  operatorToken,
}: Readonly<{
  origin: string;
  settings: Settings;
  settingsPath: string;
  /** The token, when it has not been shown yet. */
  operatorToken: string | null;
}>): string {
  const notes = notesOnMissingSettings(settings);
  return [
    `\nDuka runs at ${origin}`,
    ...(operatorToken === null ? [] : [firstSteps(origin, operatorToken, settingsPath)]),
    ...(notes.length === 0
      ? []
      : [
          `Not set in ${settingsPath} (docs/deploy.md says what each of them does):\n\n${indented(notes)}`,
        ]),
  ].join("\n\n");
}

const firstSteps = (origin: string, token: string, settingsPath: string): string =>
  `The operator's token, which is shown this once and kept in ${settingsPath}:

  ${token}

Keep a copy of that file in a safe place: Cloudflare does not show secrets again. Create the first
business, and note the keys of the response:

  curl ${origin}/v1/businesses \\
    -H 'Authorization: Bearer ${token}' -H 'Content-Type: application/json' \\
    -d '{"name":"My shop","mode":"test","currency":"EUR","default_country":"DE","timezone":"Europe/Berlin"}'`;
