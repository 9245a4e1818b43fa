import { Outlet } from "@tanstack/react-router";
import { settingsTabs } from "../../shell/navigation.ts";
import { TabLinks } from "../../shell/tab-links.tsx";
import { PageHead } from "../../ui/page.tsx";

/** The settings of the shop under tabs. */
export const SettingsPage = () => (
  <>
    <PageHead title="Settings" />
    <TabLinks label="Settings" tabs={settingsTabs} scope="settings:read" />
    <Outlet />
  </>
);
