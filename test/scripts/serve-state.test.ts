import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, it } from "vitest";
import { createBackup } from "../../scripts/serve/backup/create-backup.ts";
import { restoreBackup } from "../../scripts/serve/backup/restore-backup.ts";
import { loadSecrets, secretsFile } from "../../scripts/serve/secrets.ts";
import { readSettings, variablesFor } from "../../scripts/serve/settings.ts";
import { lockState } from "../../scripts/serve/state/lock.ts";

const folder = mkdtempSync(join(tmpdir(), "duka-serve-"));
afterAll(() => rmSync(folder, { recursive: true }));

function createFolder(name: string): string {
  const path = join(folder, name);
  mkdirSync(path);
  return path;
}

describe("settings", () => {
  it.each([
    {
      title: "a provider that prints codes",
      set: { SMS_PROVIDER: "console" },
      names: "SMS_PROVIDER",
    },
    { title: "test codes", set: { CONSOLE_TEST_CODES: "true" }, names: "CONSOLE_TEST_CODES" },
    {
      title: "a provider without credentials",
      set: { SMS_PROVIDER: "twilio" },
      names: "TWILIO_FROM",
    },
    { title: "a port that is no number", set: { PORT: "http" }, names: "PORT" },
  ])("refuses $title", ({ set, names }) => {
    expect(() => readSettings(set)).toThrow(names);
  });

  it("passes settings of the deployment and no others, to the Workers that need them", () => {
    const { variables, outboundNetworks } = readSettings({
      ...{ REQUEST_LOG: "off", PUBLIC_URL: "https://shop.example", PAYSTACK_SECRET_KEY: "" },
      ...{ MAILBOX_URL: "http://localhost", DEMO_KEYS_URL: "http://localhost", HOME: "/root" },
    });
    expect(variables).toEqual({ REQUEST_LOG: "off", PUBLIC_URL: "https://shop.example" });
    expect(variablesFor("duka-front", variables)).toEqual({ PUBLIC_URL: "https://shop.example" });
    expect(variablesFor("duka-front", { SESSION_SECRET: "secret" })).toEqual({});
    expect(outboundNetworks).toEqual(["public"]);
  });
});

describe("secrets", () => {
  it("draws what is missing once, for the owner's eyes only", () => {
    const stateDir = createFolder("secrets");
    const environment = { SESSION_SECRET: "of the environment" };
    const first = loadSecrets(stateDir, environment);
    expect(first.newOperatorToken).toBe(first.variables.OPERATOR_TOKEN);
    expect(first.variables).toMatchObject(environment);
    expect(first.variables.CREDENTIALS_KEY).toMatch(/^k1:[\w+/]{43}=$/);
    expect(statSync(secretsFile(stateDir)).mode & 0o777).toBe(0o600);
    expect(readFileSync(secretsFile(stateDir), "utf8")).not.toContain("of the environment");
    const second = loadSecrets(stateDir, environment);
    expect(second).toEqual({ variables: first.variables, newOperatorToken: null });
  });
});

describe("state folder", () => {
  it("has one server at a time", () => {
    const stateDir = createFolder("lock");
    const release = lockState(stateDir);
    expect(lockState(stateDir)).toBeNull();
    release?.();
    expect(lockState(stateDir)).not.toBeNull();
  });
});

describe("backup", () => {
  /** A folder with a database that is open, with its last write in the log, and a file. */
  function createState(name: string) {
    const stateDir = createFolder(name);
    mkdirSync(join(stateDir, "v3/d1"), { recursive: true });
    const database = new DatabaseSync(join(stateDir, "v3/d1/shop.sqlite"));
    database.exec("PRAGMA journal_mode = WAL; CREATE TABLE orders (id TEXT)");
    database.exec("INSERT INTO orders VALUES ('ord_1')");
    writeFileSync(join(stateDir, "v3/blob"), "bytes");
    loadSecrets(stateDir, {});
    return { stateDir, database };
  }

  const ordersIn = (stateDir: string) => {
    const database = new DatabaseSync(join(stateDir, "v3/d1/shop.sqlite"));
    const rows = database.prepare("SELECT id FROM orders").all();
    database.close();
    return rows.map((row) => row.id);
  };

  it("copies open databases, files and secrets, and is restored into an empty folder", async () => {
    const { stateDir, database } = createState("state");
    const [backup, copy] = [join(folder, "backup"), join(folder, "restored")];
    const summary = await createBackup(stateDir, backup);
    database.exec("INSERT INTO orders VALUES ('ord_2')");
    expect(summary).toMatchObject({ databases: 1, files: 1, paused_ms: expect.any(Number) });
    expect(restoreBackup(backup, copy)).toBe(1);
    expect(ordersIn(copy)).toEqual(["ord_1"]);
    expect(readFileSync(join(copy, "v3/blob"), "utf8")).toBe("bytes");
    expect(loadSecrets(copy, {})).toEqual(loadSecrets(stateDir, {}));
    expect(() => restoreBackup(backup, copy)).toThrow("not empty");
    await expect(createBackup(stateDir, backup)).rejects.toThrow("not empty");
    await expect(createBackup(stateDir, join(stateDir, "inside"))).rejects.toThrow("outside");
    database.close();
  });

  it("refuses a damaged backup, and leaves no databases", async () => {
    const { stateDir, database } = createState("sound");
    database.close();
    const [backup, copy] = [join(folder, "damaged"), join(folder, "unrestored")];
    await createBackup(stateDir, backup);
    writeFileSync(join(backup, "v3/d1/shop.sqlite"), "not a database".repeat(1_000));
    expect(() => restoreBackup(backup, copy)).toThrow();
    expect(() => statSync(join(copy, "v3"))).toThrow("ENOENT");
  });
});
