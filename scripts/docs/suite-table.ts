import { SUITES } from "../test/suites";
import { markdownTable } from "./markdown-table";

const command = (quick: boolean): string => (quick ? "`npm test`, `npm run test:all`" : "`npm run test:all`");

/** A line for each kind of tests on each Node-RED, whatever the number of its parts. */
function suites(): string {
  const rows = SUITES.filter(({ part: [from] = [0, 1] }) => from === 0).map(
    ({ folder, nodeRed, quick, tells }) => [
      `\`test/${folder}\`${nodeRed === undefined ? "" : `, Node-RED ${nodeRed}`}`,
      command(quick === true),
      tells,
    ],
  );
  return markdownTable(["Tests", "Run by", "Where one fails,"], rows);
}

/** The table of `docs/tests.md`. */
export const SUITE_TABLE = { suites };
