/** How the embedding page wants the frame to look. Null leaves the choice to the browser. */
export type Theme = Readonly<{ scheme: "light" | "dark" | null; accent: string | null }>;

/** The theme in an `init` message. A value of another form counts as missing. */
export const parseTheme = ({ theme, accent }: Readonly<Record<string, unknown>>): Theme => ({
  scheme: theme === "light" || theme === "dark" ? theme : null,
  accent: typeof accent === "string" && /^#[0-9a-f]{6}$/i.test(accent) ? accent : null,
});

/** Shows the page in this theme, or in the browser's own where it is null. */
export function applyTheme({ scheme, accent }: Theme): void {
  const { dataset, style } = document.documentElement;
  if (scheme === null) delete dataset.theme;
  else dataset.theme = scheme;
  if (accent === null) {
    style.removeProperty("--accent");
    style.removeProperty("--on-accent");
  } else {
    style.setProperty("--accent", accent);
    style.setProperty("--on-accent", textColorOn(accent));
  }
}

/** Black or white, whichever is easier to read on the color. One of them has a contrast above 4.5. */
function textColorOn(color: string): "#000000" | "#ffffff" {
  const luminance = [0.2126, 0.7152, 0.0722]
    .map((weight, index) => {
      const channel = Number.parseInt(color.slice(1 + 2 * index, 3 + 2 * index), 16) / 255;
      return weight * (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4);
    })
    .reduce((sum, part) => sum + part, 0);
  return luminance > 0.179 ? "#000000" : "#ffffff";
}
