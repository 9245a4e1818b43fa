import { PageHead } from "../../ui/page.tsx";

export function TodayPage() {
  return <PageHead title="Today" />;
}
