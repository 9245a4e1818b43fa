import type { BusinessSchemas } from "@duka/sdk/business";
import { Badge, type Tone } from "../../../ui/badge.tsx";

type JobStatus = BusinessSchemas["BusinessExport"]["status"];

/** How often the page reads how far an export or import is. */
export const refreshMs = 3_000;

const states: Readonly<Record<JobStatus, Readonly<{ text: string; tone: Tone }>>> = {
  queued: { text: "Begins soon", tone: "neutral" },
  running: { text: "Under way", tone: "info" },
  completed: { text: "Completed", tone: "success" },
  failed: { text: "Failed", tone: "danger" },
};

export const JobState = ({ status }: Readonly<{ status: JobStatus }>) => (
  <Badge tone={states[status].tone}>{states[status].text}</Badge>
);
