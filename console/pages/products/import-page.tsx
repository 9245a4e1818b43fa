import type { BusinessSchemas } from "@duka/sdk/business";
import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useShop } from "../../api/shop.ts";
import { Button } from "../../ui/button.tsx";
import { Card, Fact } from "../../ui/card.tsx";
import { FileDrop } from "../../ui/file-drop.tsx";
import { PageHead } from "../../ui/page.tsx";
import { Table } from "../../ui/table.tsx";
import { messageOf } from "../../ui/use-form.ts";
import { useFormat } from "../../ui/use-format.ts";
import "./products.css";

type ImportReport = BusinessSchemas["Import"];

/** A file of 100,000 rows takes minutes. */
const timeoutMs = 600_000;

type ImportState =
  | Readonly<{ step: "choosing"; error?: string }>
  | Readonly<{ step: "checking" | "importing"; file: File }>
  | Readonly<{ step: "checked" | "imported"; file: File; report: ImportReport }>;

/** Imports products from a CSV file: first without storing anything, then for real. */
export function ImportPage() {
  const { api } = useShop();
  const queryClient = useQueryClient();
  const [state, setState] = useState<ImportState>({ step: "choosing" });

  async function run(file: File, isDryRun: boolean) {
    setState({ step: isDryRun ? "checking" : "importing", file });
    try {
      const { data: report } = await api.products.import(
        { file: new Blob([file], { type: "text/csv" }), dry_run: isDryRun },
        { timeout: timeoutMs },
      );
      setState({ step: isDryRun ? "checked" : "imported", file, report });
    } catch (error) {
      setState({ step: "choosing", error: messageOf(error) });
    } finally {
      if (!isDryRun) await queryClient.invalidateQueries();
    }
  }

  const isBusy = state.step === "checking" || state.step === "importing";
  return (
    <>
      <PageHead title="Import products" />
      <Card title="File">
        <FileDrop
          label={state.step === "choosing" ? "Choose a file" : "Choose another file"}
          accept=".csv,text/csv"
          hint="A CSV file in Shopify's product format, at most 20 MB. Nothing is stored yet."
          isBusy={isBusy}
          onFiles={([file]) => file && void run(file, true)}
        >
          {state.step !== "choosing" && <p>{state.file.name}</p>}
          {isBusy && (
            <p role="status" className="muted">
              {state.step === "checking" ? "Checking the file…" : "Importing the products…"}
            </p>
          )}
          {state.step === "choosing" && state.error && (
            <p role="alert" className="form-error">
              {state.error}
            </p>
          )}
        </FileDrop>
      </Card>
      {(state.step === "checked" || state.step === "imported") && (
        <Report
          report={state.report}
          isDryRun={state.step === "checked"}
          onImport={() => void run(state.file, false)}
        />
      )}
    </>
  );
}

type ReportProps = Readonly<{ report: ImportReport; isDryRun: boolean; onImport: () => void }>;

function Report({ report, isDryRun, onImport }: ReportProps) {
  const format = useFormat();
  const changed = report.products_created + report.products_updated;
  return (
    <>
      <Card
        title={isDryRun ? "What the import will do" : "What the import did"}
        actions={
          isDryRun ? (
            changed > 0 && (
              <Button look="primary" onClick={onImport}>
                Import {format.number(changed)} products
              </Button>
            )
          ) : (
            <Link to="/$businessId/products" from="/$businessId">
              Show the products
            </Link>
          )
        }
      >
        <dl className="facts">
          <Fact name="Rows read">{format.number(report.rows)}</Fact>
          <Fact name="New products">{format.number(report.products_created)}</Fact>
          <Fact name="Changed products">{format.number(report.products_updated)}</Fact>
          <Fact name="Unchanged products">{format.number(report.products_unchanged)}</Fact>
          <Fact name="Variants">{format.number(report.variants)}</Fact>
          <Fact name="Rows with an error">{format.number(report.rejected_total)}</Fact>
        </dl>
      </Card>
      {report.rejected.length > 0 && <RejectedRows report={report} />}
    </>
  );
}

function RejectedRows({
  report: { rejected, rejected_total: total },
}: Readonly<{ report: ImportReport }>) {
  const format = useFormat();
  const left = total - rejected.length;
  return (
    <Card title="Rows with an error" isFlush>
      <Table
        label="Rows with an error"
        rows={rejected}
        keyOf={({ row, field, message }) => `${row} ${field} ${message}`}
        columns={[
          { name: "Line", kind: "tight", cell: ({ row }) => `Line ${format.number(row)}` },
          { name: "Column", cell: ({ field }) => field || "Whole row" },
          { name: "Error", isWide: true, cell: ({ message }) => message },
        ]}
      />
      {left > 0 && <p className="card-body muted">And {format.number(left)} more.</p>}
    </Card>
  );
}
