/** How the console looks: as the system does, or always light or dark. */
export type Theme = "system" | "light" | "dark";

const storedUnder = "duka-console-theme";

export function readTheme(): Theme {
  const stored = localStorage.getItem(storedUnder);
  return stored === "light" || stored === "dark" ? stored : "system";
}

export function applyTheme(theme: Theme): void {
  if (theme === "system") {
    localStorage.removeItem(storedUnder);
    delete document.documentElement.dataset.theme;
  } else {
    localStorage.setItem(storedUnder, theme);
    document.documentElement.dataset.theme = theme;
  }
}
