import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { ACCOUNT_DEFAULTS, ASSUMED_PATHS } from "../../lib/shared/account-defaults";
import { OUTCOMES, STATUS_CODES } from "../../lib/shared/outcomes";
import { findBareStatus, LOCAL_FAULTS } from "../../lib/shared/plain-outcomes";
import { fillPlaces } from "../../scripts/docs/fill-places";
import { helpToMarkdown } from "../../scripts/docs/help-to-markdown";
import { makePages } from "../../scripts/docs/pages";
import { ROOT, sourceText } from "../support/locale-files";

const page = (path: string): string => {
  const text = sourceText(path);
  assert.ok(text !== null, `${path} is missing`);
  return text;
};

describe("pages made from help and tables", () => {
  it("are as they would be made now", async () => {
    const pages = await makePages(ROOT);
    assert.ok(pages.length >= 8, "not all pages are made");
    for (const { path, text } of pages) {
      assert.equal(sourceText(path), text, `${path} is not what its source says: run npm run docs`);
    }
  });

  it("turn the HTML of help into Markdown", () => {
    const help = `<script type="text/html" data-help-name="x">
      <p>Says <b>what</b> &lt;1&gt;
        is <i>meant</i>, see <a href="https://example.com" target="_blank">there</a>.</p>
      <h3>Outputs</h3>
      <dl class="message-properties">
        <dt class="optional">payload, topic <span class="property-type">string</span></dt><dd>the <code>text</code></dd>
        <dt>Sender is</dt><dd>a word</dd>
      </dl>
      <ol class="node-ports"><li>one <dl><dt>a</dt><dd>b</dd></dl></li><li>two</li></ol>
      <table><thead><tr><th>A</th></tr></thead><tbody><tr><td>1|2<br>3</td></tr></tbody></table>
<pre>a
 b</pre>
    </script>`;
    assert.equal(
      helpToMarkdown(help),
      [
        "Says **what** <1> is *meant*, see [there](https://example.com).",
        "## Outputs",
        "- `payload`, `topic` (string, optional): the `text`\n- **Sender is**: a word",
        "1. one\n   - `a`: b\n2. two",
        "| A |\n|---|\n| 1\\|2<br>3 |",
        "```\na\n b\n```",
      ].join("\n\n"),
    );
  });

  it("are not made of HTML that cannot be read, nor without all tables", () => {
    assert.throws(() => helpToMarkdown("<p>no help</p>"), /not the help of a node/);
    assert.throws(() => helpToMarkdown('<script data-help-name="x"><p>a</script>'), /closes/);
    assert.throws(() => helpToMarkdown('<script data-help-name="x"><img src="a"></script>'), /closes/);
    assert.throws(() => fillPlaces("no place", { a: () => "" }), /no place for a/);
    assert.throws(() => fillPlaces("<!-- table: b -->\n<!-- end of table -->", {}), /no table b/);
  });
});

describe("docs/outcomes.md", () => {
  const text = page("docs/outcomes.md");

  it("has a row for every status code, in the table of its style", () => {
    for (const { style, code, name, meaning, outcome, advice, byKind = {} } of STATUS_CODES) {
      const [, table = ""] = text.split(`<!-- table: ${style} -->`);
      const row = table
        .split("<!-- end of table -->")[0]
        ?.split("\n")
        .find((line) => line.startsWith(`| ${code} |`));
      assert.ok(row !== undefined, `${style} ${code} has no row`);
      for (const part of [name, meaning, outcome, advice, ...Object.values(byKind)]) {
        assert.ok(row.includes(part), `${style} ${code} lacks: ${part}`);
      }
    }
  });

  it("has a row for every outcome and every fault of this side", () => {
    for (const name of [...Object.keys(OUTCOMES), ...Object.keys(LOCAL_FAULTS)]) {
      assert.ok(text.includes(`\n| \`${name}\` |`), name);
    }
  });

  it("knows every HTTP status that is treated in a way of its own", () => {
    for (let status = 300; status < 600; status++) {
      const { meaning, advice } = findBareStatus(status);
      assert.ok(text.includes(`| ${meaning} | `) && text.includes(` | ${advice} |`), `HTTP ${status}`);
    }
  });
});

describe("docs", () => {
  const pages = readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md"))
    .map((file) => join("docs", file));

  it("link only to what is there", () => {
    for (const path of [...pages, "README.md", "CONTRIBUTING.md", "simulator/README.md"]) {
      for (const [, target = ""] of page(path).matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)) {
        if (!/^[a-z]+:/.test(target)) {
          assert.ok(existsSync(join(ROOT, dirname(path), target)), `${path}: ${target}`);
        }
      }
    }
  });

  it("are all found from the index", () => {
    const index = page("docs/README.md");
    const lost = pages.filter((path) => !path.includes("decisions") && path !== join("docs", "README.md"));
    assert.deepEqual(
      lost.filter((path) => !index.includes(`](${path.slice("docs/".length)})`)),
      [],
    );
  });

  it("of assumptions name every assumed path and the account's numbers", () => {
    const text = page("docs/assumptions.md");
    for (const path of Object.values(ASSUMED_PATHS)) {
      assert.ok(text.includes(`\`${path}\``), path);
    }
    const { connections, queueLimit, attempts, connectTimeout, answerTimeout } = ACCOUNT_DEFAULTS;
    for (const number of [connections, queueLimit, attempts, connectTimeout, answerTimeout]) {
      assert.ok(new RegExp(`\\b${number.toLocaleString("en-US")}\\b`).test(text), String(number));
    }
  });
});
