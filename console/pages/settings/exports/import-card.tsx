import { type BusinessSchemas, DukaError } from "@duka/sdk/business";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useShop } from "../../../api/shop.ts";
import { useRecord } from "../../../api/use-record.ts";
import { Card, Fact } from "../../../ui/card.tsx";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { FileDrop } from "../../../ui/file-drop.tsx";
import { Loaded } from "../../../ui/loaded.tsx";
import { useFormat } from "../../../ui/use-format.ts";
import { JobState, refreshMs } from "./job-state.tsx";

type BusinessImport = BusinessSchemas["BusinessImport"];

const maxBytes = 100 * 1024 * 1024;
/** A file of 100 MB takes this long on a slow line. */
const timeoutMs = 1_800_000;

/** Imports the file of an export into the shop, while that is empty. */
export function ImportCard() {
  const { api } = useShop();
  const navigate = useNavigate({ from: "/$businessId/settings/exports" });
  const { import: importId } = useSearch({ from: "/$businessId/settings/exports" });
  const [file, setFile] = useState<File>();

  async function importFile(chosen: File): Promise<void> {
    if (chosen.size > maxBytes) throw new Error("The file must be at most 100 MiB.");
    const { data } = await api.importsAndExports
      .importBusiness({ file: chosen }, { timeout: timeoutMs })
      .catch((error: unknown) => Promise.reject(toPlainError(error)));
    await navigate({ search: (before) => ({ ...before, import: data.id }) });
  }

  return (
    <Card title="Import">
      <div className="stack">
        <FileDrop
          label="Choose a file"
          accept=".jsonl,.ndjson,application/x-ndjson"
          hint="The file of an export, at most 100 MiB. Nothing is stored yet."
          onFiles={([chosen]) => setFile(chosen)}
        >
          <p className="muted">
            The file of an export, of this service or of another one, fills a shop that is still
            empty. Everything in it gets new ids. Nothing is charged, and no customer gets a
            message.
          </p>
        </FileDrop>
        {importId !== undefined && <ImportProgress importId={importId} />}
      </div>
      {file && (
        <ConfirmDialog
          title={`Import ${file.name}`}
          action="Import"
          onConfirm={() => importFile(file)}
          onClose={() => setFile(undefined)}
        >
          Currency, country, time zone, settings and locations of this shop become those of the
          file. Members, keys and payment accounts stay as they are.
        </ConfirmDialog>
      )}
    </Card>
  );
}

/** What the refusals mean to the owner of a shop. */
const refusals: Readonly<Record<string, string>> = {
  NOT_EMPTY:
    "This shop is not empty: it has products, customers, orders or other records. A file can only be imported into an empty shop, so import it into a new one.",
  CONFLICT:
    "An export or import of this shop is under way, or the shop is being moved. Try again when that has ended.",
};

function toPlainError(error: unknown): unknown {
  if (!(error instanceof DukaError)) return error;
  const { code, status, retryable } = error;
  const message = refusals[error.rule ?? code];
  return message === undefined ? error : new DukaError({ code, message, status, retryable });
}

/** How far the import is, and what was wrong with its file. */
function ImportProgress({ importId }: Readonly<{ importId: string }>) {
  const { api } = useShop();
  const queryClient = useQueryClient();
  const query = useRecord({
    key: ["business-imports", importId],
    get: (options) => api.importsAndExports.getBusinessImport(importId, options),
    refreshMs,
  });
  const isCompleted = query.data?.status === "completed";
  const [wasOpen, setWasOpen] = useState(false);
  if (query.data && !isCompleted && !wasOpen) setWasOpen(true);

  useEffect(() => {
    // Currency, locations and all lists are other ones after it.
    if (isCompleted && wasOpen) void queryClient.invalidateQueries();
  }, [isCompleted, wasOpen, queryClient]);

  return (
    <div role="status">
      <Loaded query={query}>{(job) => <ImportFacts job={job} />}</Loaded>
    </div>
  );
}

function ImportFacts({ job }: Readonly<{ job: BusinessImport }>) {
  const format = useFormat();
  return (
    <>
      <dl className="facts">
        <Fact name="Import">
          {format.moment(job.created_at)} <JobState status={job.status} />
        </Fact>
        <Fact name="Rows">{format.number(job.row_count)}</Fact>
      </dl>
      {job.error && (
        <p className="form-error">
          {job.error.line === null
            ? job.error.reason
            : `Line ${format.number(job.error.line)} of the file: ${job.error.reason}`}{" "}
          The shop is empty, as before.
        </p>
      )}
    </>
  );
}
