import { Outlet } from "@tanstack/react-router";
import { reportTabs } from "../../shell/navigation.ts";
import { TabLinks } from "../../shell/tab-links.tsx";
import { PageHead } from "../../ui/page.tsx";
import "./reports.css";

/** The reports of the shop under tabs. */
export const ReportsPage = () => (
  <>
    <PageHead title="Reports" />
    <TabLinks label="Reports" tabs={reportTabs} scope="orders:read" />
    <Outlet />
  </>
);
