import { type ReactNode, useState } from "react";
import { IconButton } from "../ui/button.tsx";
import { applyTheme, readTheme, type Theme } from "./theme.ts";
import { useLogOut } from "./use-log-out.ts";

/** The end of a menu: who is logged in, as a link to the login's page, and the buttons of all pages. */
export function MenuBottom({ children }: Readonly<{ children: ReactNode }>) {
  const logOut = useLogOut();
  return (
    <div className="bottom">
      <div className="row apart">
        {children}
        <span className="row">
          <ThemeButton />
          <IconButton icon="logout" label="Log out" onClick={() => void logOut()} />
        </span>
      </div>
    </div>
  );
}

const nextTheme: Readonly<Record<Theme, Theme>> = {
  system: "dark",
  dark: "light",
  light: "system",
};

function ThemeButton() {
  const [theme, setTheme] = useState(readTheme);
  return (
    <IconButton
      icon={theme === "dark" ? "moon" : "sun"}
      label={`Appearance: ${theme}. Change to ${nextTheme[theme]}.`}
      onClick={() => {
        applyTheme(nextTheme[theme]);
        setTheme(nextTheme[theme]);
      }}
    />
  );
}
