import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { LOCAL_FAULTS } from "../../lib/gateway/contract/local-outcomes";
import { OPERATIONS } from "../../lib/gateway/contract/operations";
import { METRICS } from "../../nodes/message-log/runtime/open-metrics";
import { STATUS_CODES } from "../../lib/shared/outcomes";
import { ROOT } from "../support/locales/locale-files";

/** Reads rows of a page whose cells match; the other cells of a row may say anything. */
const readRows = (page: string, pattern: RegExp): readonly string[] =>
  [...readFileSync(join(ROOT, "docs", page), "utf8").matchAll(pattern)].map(([, ...cells]) =>
    cells.join(" "),
  );

describe("tables of the guides", () => {
  it("list every status code and local fault with its outcome", () => {
    const codes = STATUS_CODES.map(({ code, name, outcome }) => `${code} ${name} ${outcome}`);
    const local = Object.entries(LOCAL_FAULTS).map(([name, { outcome }]) => `${name} ${outcome}`);
    const outcome = "\\| [^|]+ \\| `([a-z-]+)` \\|";
    assert.deepEqual(
      readRows("outcomes.md", new RegExp(`^\\| (\\d{4}) \\| \`(\\w+)\` ${outcome}`, "gm")),
      codes,
    );
    assert.deepEqual(readRows("outcomes.md", new RegExp(`^\\| \`([A-Z]\\w+)\` ${outcome}`, "gm")), local);
  });

  it("list every operation with its request, and every metric", () => {
    const requests = Object.values(OPERATIONS).map(({ id, method, path }) => `${id} ${method} ${path}`);
    assert.deepEqual(readRows("service.md", /^\| `([a-z-]+)` \| `((?:GET|POST) \/[^`]+)` \|/gm), requests);
    assert.deepEqual(
      readRows("report-and-metrics.md", /^\| `(messaging_\w+)` \|/gm),
      METRICS.map(({ name }) => name),
    );
  });
});
