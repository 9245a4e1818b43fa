import { Button } from "../../ui/button.tsx";
import { saveFile } from "../../ui/save-file.ts";
import { useChange } from "../../ui/use-change.ts";

type Row = readonly (string | number | boolean | null)[];

type ExportButtonProps = Readonly<{
  /** The name of the file, without its ending. */
  name: string;
  columns: readonly string[];
  rows: () => Promise<readonly Row[]> | readonly Row[];
}>;

/** Saves a report as a CSV file. */
export function ExportButton({ name, columns, rows }: ExportButtonProps) {
  const change = useChange();
  const save = async () => {
    const lines = [columns, ...(await rows())].map((row) => row.map(toCell).join(","));
    saveFile(`${name}.csv`, `${lines.join("\r\n")}\r\n`, "text/csv");
  };
  return (
    <Button
      icon="download"
      isBusy={change.isBusy}
      onClick={() => void change.run(save, "The file is in your downloads.")}
    >
      Export
    </Button>
  );
}

/** Spreadsheets run texts that begin like a formula, so those get an apostrophe. */
function toCell(value: Row[number]): string {
  const text = value === null ? "" : String(value);
  const isFormula = /^[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text));
  const safe = isFormula ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
