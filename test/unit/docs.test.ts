import { adviceOf, meaningOf } from "../../lib/gateway/contract/outcome-texts";
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { dirname, join } from "node:path";
import { OPERATIONS } from "../../lib/gateway/contract/operations";
import { ACCOUNT_DEFAULTS, ASSUMED_PATHS } from "../../lib/shared/fields/account-defaults";
import { DEFAULT_LIMIT } from "../../lib/shared/fields/media-fields";
import { RCS_FIELDS } from "../../lib/shared/fields/rcs-fields";
import { RULE_DEFAULTS } from "../../lib/shared/fields/rule-fields";
import { readDuration } from "../../lib/shared/schedule/read-duration";
import { readMoment } from "../../lib/shared/schedule/read-moment";
import { OUTCOMES, STATUS_CODES } from "../../lib/shared/outcomes";
import { findBareStatus, LOCAL_FAULTS } from "../../lib/gateway/contract/local-outcomes";
import { WEBHOOK_DEFAULTS } from "../../lib/shared/fields/webhook-defaults";
import { webhookPath } from "../../lib/shared/network/webhook-path";
import { clientAddress } from "../../lib/webhook/gates/client-address";
import * as EVENT_SCHEMAS from "../../lib/webhook/event-schemas";
import { fillTables } from "../../scripts/docs/fill-tables";
import { helpToMarkdown } from "../../scripts/docs/help-to-markdown";
import { makePages } from "../../scripts/docs/pages";
import { undescribedOperations } from "../../scripts/docs/service-fields";
import { assertAll } from "../support/assert-all";
import {
  anchorsOf,
  boldOf,
  codeOf,
  packedBy,
  pathsOf,
  repositoryFiles,
  docsPages,
  exampleFlows,
  exampleNames,
  isLabelInText,
  italicsOf,
  labelFinder,
  linksOf,
  page,
} from "../support/locales/guides";
import { originals, readTexts, ROOT, sourceText } from "../support/locales/locale-files";

/** Whether words in italics are a label, or the beginning of a long one. */
const isLabelOrBegin = (words: string, isLabel: (label: string) => boolean): boolean =>
  isLabelInText(words, (label) => isLabel(label) || isLabel(`${label} …`));

/** Guides for those who work on the code, where a name is that of a folder. */
const FOR_CONTRIBUTORS = /(?:architecture|benchmarks|cluster-suite|crash-suite|faults|glossary|tests)\.md$/;

const TOP_PAGES = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "simulator/README.md"];

describe("context stores on disk in guides and help", () => {
  it("are never named without the time after which they write", () => {
    const sources = [
      "README.md",
      ...docsPages(),
      ...["en-US", "de"].flatMap((lang) =>
        ["html", "json"].map((ext) => `nodes/webhook-in/locales/${lang}/webhook-in.${ext}`),
      ),
    ].filter((path) => page(path).includes("localfilesystem"));
    assert.ok(sources.length >= 5, `only ${sources.join(", ")}`);
    for (const path of sources) {
      assert.match(page(path), /flushInterval/, path);
    }
  });
});

describe("pages made from help and tables", () => {
  it("are as they would be made now", async () => {
    const pages = await makePages(ROOT);
    assert.ok(pages.length >= 9, "not all pages are made");
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

  it("are not made of HTML that help does not use, nor without all tables", () => {
    assert.throws(() => helpToMarkdown("<p>no help</p>"), /not the help of a node/);
    const picture = '<script data-help-name="x"><p>a <img src="a"></p></script>';
    assert.throws(() => helpToMarkdown(picture), /no Markdown for <img>/);
    assert.throws(() => fillTables("no marker", { a: () => "" }), /no marker for a/);
    assert.throws(() => fillTables("<!-- table: b -->\n<!-- end of table -->", {}), /no table b/);
  });
});

describe("docs/outcomes.md", () => {
  const text = page("docs/outcomes.md");

  it("has a row for every status code, in the table of its style", () => {
    for (const row of STATUS_CODES) {
      const { style, code, name, outcome, narrower = [] } = row;
      const [, table = ""] = text.split(`<!-- table: ${style} -->`);
      const line = table
        .split("<!-- end of table -->")[0]
        ?.split("\n")
        .find((each) => each.startsWith(`| ${code} |`));
      assert.ok(line !== undefined, `${style} ${code} has no row`);
      const texts = [meaningOf(row), adviceOf(row), ...narrower.map((kind) => meaningOf(row, kind))];
      for (const part of [name, outcome, ...texts]) {
        assert.ok(line.includes(part), `${style} ${code} lacks: ${part}`);
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
      const row = findBareStatus(status);
      assert.ok(
        text.includes(`| ${meaningOf(row)} | `) && text.includes(` | ${adviceOf(row)} |`),
        `HTTP ${status}`,
      );
    }
  });
});

describe("docs/service.md", () => {
  const text = page("docs/service.md");

  it("describes the fields of every operation", () => {
    assert.deepEqual(undescribedOperations(), []);
    for (const { id, request } of Object.values(OPERATIONS)) {
      assert.ok(text.includes(`| \`${id}\` |`), id);
      const fields = Object.keys((request as unknown as { shape: object }).shape);
      assert.ok(fields.length > 0, id);
      for (const field of fields) {
        assert.ok(text.includes(`\n| \`${field}\` |`), `${id}: ${field} has no row`);
      }
    }
  });

  it("has a row for every status code, in the table of its style", () => {
    for (const { style, code, name } of STATUS_CODES) {
      const [, table = ""] = text.split(`<!-- table: ${style}-codes -->`);
      const [rows = ""] = table.split("<!-- end of table -->");
      assert.ok(rows.includes(`\n| ${code} | \`${name}\` |`), `${style} ${code}`);
    }
  });

  it("names every field that an event must have", () => {
    const [, events = ""] = text.split("\n## Events\n");
    const schemas = Object.values(EVENT_SCHEMAS);
    assert.ok(schemas.length >= 5);
    for (const field of schemas.flatMap(({ shape }) => Object.keys(shape))) {
      assert.ok(events.includes(`\`${field}\``), field);
    }
  });

  it("names every field of an RCS message that the form composes", () => {
    const [, rcs = ""] = text.split("\n## RCS messages\n");
    for (const path of RCS_FIELDS.flatMap((field) => ("field" in field ? field.field.split(".") : []))) {
      assert.ok(rcs.includes(path), path);
    }
  });

  it("marks each path that is assumed", () => {
    const rows = text.split("\n").filter((line) => line.includes("| assumed |"));
    assert.equal(rows.length, Object.keys(ASSUMED_PATHS).length);
  });
});

describe("docs/delivery-rules.md", () => {
  const text = page("docs/delivery-rules.md");
  const tableOf = (heading: string): readonly (readonly string[])[] => {
    const [, section = ""] = text.split(`\n## ${heading}\n`);
    const lines = section.split("\n## ")[0]?.split("\n") ?? [];
    const rows = lines.filter((line) => line.startsWith("| ")).slice(1);
    return rows.map((row) => row.split(" | ").map((cell) => cell.replace(/^\| | \|$/g, "")));
  };

  it("writes times as they are read", () => {
    const now = Date.parse("2026-11-22T16:00:00Z");
    const written = tableOf("How times are written").flatMap(([cell = ""]) =>
      [...cell.matchAll(/`([^`]+)`/g)].map(([, time = ""]) => time),
    );
    assert.ok(written.length > 10, written.join());
    for (const time of written) {
      assert.ok((readMoment(time, now, "Europe/Zurich") ?? 0) > now, time);
    }
  });

  it("has a row for each result of a rule, with its output", () => {
    const names = tableOf("Results").map(([name = "", output = ""]) => [name.replaceAll("`", ""), output]);
    assert.equal(names.length, 8);
    for (const [name = "", output] of names) {
      const { outcome } = LOCAL_FAULTS[name as keyof typeof LOCAL_FAULTS];
      assert.equal(output, outcome === "retry-later" ? "try again" : outcome, name);
    }
  });

  it("has a row for each label of the group, with its initial value", () => {
    const labels = [...readTexts("nodes/config/locales/en-US/messaging-account")]
      .filter(([key]) => key.startsWith("editor.rules.field."))
      .map(([, label]) => label);
    const [, top = ""] = text.split("| Label |");
    assert.deepEqual(
      [...(top.split("\n\n")[0] ?? "").matchAll(/^\| \*\*(.+?)\*\*/gm)].map(([, label]) => label),
      labels,
    );
    assert.equal(readDuration(RULE_DEFAULTS.onceWithin), 30 * 24 * 3_600_000);
    assert.deepEqual([RULE_DEFAULTS.alsoOptedOut, RULE_DEFAULTS.anyHour], [false, false]);
  });
});

describe("docs", () => {
  const pages = docsPages();
  const guides = pages.filter((path) => /^docs[\\/][^\\/]+$/.test(path) && !path.endsWith("outcomes.md"));

  it("link only to what is there, headings included", () => {
    let anchors = 0;
    for (const path of [...pages, ...TOP_PAGES]) {
      for (const link of linksOf(page(path)).filter((target) => !/^[a-z]+:/.test(target))) {
        const [file = "", anchor] = link.split("#");
        const target = file === "" ? path : join(dirname(path), file);
        assert.ok(existsSync(join(ROOT, target)), `${path}: ${link} does not exist`);
        if (anchor !== undefined) {
          assert.ok(anchorsOf(page(target)).has(anchor), `${path}: ${link} has no such heading`);
          anchors++;
        }
      }
    }
    assert.ok(anchors > 3, "hardly any link leads to a heading: are they found?");
  });

  it("name only files and folders that exist", () => {
    const { has, hasEnd } = repositoryFiles();
    assert.ok(has("lib/*/outcomes.ts") && !has("lib/*/nothing.ts") && hasEnd("outcomes.ts"));
    let found = 0;
    for (const path of [...pages, ...TOP_PAGES].filter((name) => name !== "CHANGELOG.md")) {
      for (const named of pathsOf(page(path))) {
        const below = [named, `test/${named}`, join(dirname(path), named)];
        const exists = named.includes("/") ? below.some(has) : hasEnd(named);
        assert.ok(exists, `${path} names ${named}, which does not exist`);
        found++;
      }
    }
    assert.ok(found > 150, `only ${found} paths are found`);
  });

  it("link, on pages in the package, only to what is in it, and show every picture that is", () => {
    const { files } = JSON.parse(page("package.json")) as { readonly files: readonly string[] };
    const isPacked = packedBy(files);
    const packed = [...pages, ...TOP_PAGES].filter(isPacked);
    const linked = new Set<string>();
    for (const path of packed) {
      for (const link of linksOf(page(path)).filter((target) => !/^(?:[a-z]+:|#)/.test(target))) {
        const target = join(dirname(path), link.split("#")[0] ?? "");
        assert.ok(isPacked(target), `${path} links to ${target}, which is not in the package`);
        linked.add(target);
      }
    }
    assert.ok(
      packed.length > 15 && linked.size > packed.length,
      `${packed.length} pages, ${linked.size} links`,
    );
    for (const path of [...packed, ...files.filter((file) => file.endsWith(".png"))]) {
      assert.ok(linked.has(path) || path === "README.md", `no page in the package leads to ${path}`);
    }
  });

  it("list each decision by its number and title, in files named after them", () => {
    const index = page("docs/decisions/README.md");
    const records = pages.filter((path) => /decisions[\\/]\w+[\\/]/.test(path));
    assert.ok(records.length > 30, `only ${records.length} decisions are found`);
    for (const path of records) {
      const [, folder = "", file = ""] = /decisions[\\/](\w+)[\\/](.+)$/.exec(path) ?? [];
      const [, number = "", title = ""] = /^# (\d+)\. (.+)\n/.exec(page(path)) ?? [];
      const line = index
        .split("\n")
        .find((each) => each.startsWith(`- ${number}: [${title}](${folder}/${file})`));
      assert.ok(line !== undefined, `${path} is not listed`);
      assert.equal(line.includes(" by ["), page(path).includes("\n\n*Replaced "), `${path}: replaced or not`);
      assert.equal(file.slice(0, 5), `${number.padStart(4, "0")}-`, path);
      assert.ok(page(path).split("\n").length <= 60, `${path} is longer than a page`);
    }
  });

  it("are all found from the index of the users, or from the page for contributors", () => {
    const leading = [
      ...linksOf(page("docs/README.md")).map((link) => join("docs", link)),
      ...linksOf(page("CONTRIBUTING.md")),
    ].map((link) => link.split("#")[0]);
    const ownIndex = /^docs[\\/](?:decisions[\\/]\w+|nodes)[\\/]|^docs[\\/]README/;
    assert.deepEqual(
      pages.filter((path) => !ownIndex.test(path) && !leading.includes(path)),
      [],
    );
  });

  it("say every label of a dialog, in a guide or on the page of its node", () => {
    const text = pages.map((path) => page(path).replace(/\s+/g, " ")).join("\n");
    const labels = originals().flatMap(({ path }) =>
      [...readTexts(path)].filter(([key]) => /\.(?:field|group)\.[^.]+$/.test(key)),
    );
    assert.ok(labels.length > 200, `only ${labels.length} labels`);
    assert.deepEqual(
      labels.filter(([, label]) => !text.includes(label.replace(/:$/, ""))),
      [],
    );
  });

  it("call labels of the dialogs as the editor does", () => {
    const isLabel = labelFinder();
    assert.ok(isLabel("Test connection") && isLabel("1 accepted"));
    assert.ok(!isLabel("Test connections") && !isLabel("accepted 1"));
    for (const path of guides) {
      assertAll(boldOf(page(path)), isLabel, `${path} has in bold what is no label`);
    }
    assert.ok(boldOf(page("docs/first-message.md")).length > 30);
  });

  it("call labels, in the README, as the editor does", () => {
    const isLabel = labelFinder();
    const examples = exampleNames();
    // Labels of Node-RED, and names of nodes: core nodes, and one of an example.
    const others = new Set([
      "Menu → Manage palette → Install",
      "Menu → Import → Examples",
      "Menu → Settings → Language",
      "Done",
      "Send a greeting",
      "Send SMS",
    ]);
    const nodes = new Set(["inject", "delay", "catch"]);
    const labels = italicsOf(page("README.md")).filter(
      (words) => !examples.has(words) && !others.has(words) && !nodes.has(words),
    );
    assert.ok(labels.length > 15, `only ${labels.length} labels are found`);
    assertAll(labels, (label) => isLabelOrBegin(label, isLabel));
  });

  it("call nodes as the palette does, and sources of fields as the editor of today does", () => {
    const { "node-red": registered } = JSON.parse(page("package.json")) as {
      readonly "node-red": { readonly nodes: Readonly<Record<string, string>> };
    };
    const palette = new Map(
      originals().flatMap(({ stem, path }) => {
        const label = readTexts(path).get(`${stem}.palette`);
        return label === undefined ? [] : [[stem, label] as const];
      }),
    );
    const types = Object.keys(registered.nodes);
    assertAll(types, (type) => palette.has(type));
    const others = new Set(types.flatMap((type) => [type, type.replaceAll("-", " ")]));
    for (const label of palette.values()) others.delete(label);
    // Of text that is typed in, the editor of today says `text`.
    others.add("string");
    for (const path of [
      ...guides.filter((each) => !FOR_CONTRIBUTORS.test(each)),
      "README.md",
      "simulator/README.md",
    ]) {
      assertAll(italicsOf(page(path)), (words) => !others.has(words), path);
    }
  });

  it("call labels, in the comments of the examples, as the editor does", () => {
    const isLabel = labelFinder();
    // Names outside the package: core nodes, and a template that the simulator has.
    const others = new Set(["read file", "http request", "write file", "order_ready"]);
    let labels = 0;
    for (const [example, nodes] of exampleFlows()) {
      const names = new Set(nodes.map(({ name }) => name));
      const notes = nodes.filter(({ type }) => type === "comment").map(({ info }) => info ?? "");
      assert.ok(notes.length > 0, `${example} has no comment`);
      for (const note of notes) {
        assertAll(boldOf(note), (name) => names.has(name), `${example} has in bold what is no node of it`);
        const said = italicsOf(note).filter((words) => !others.has(words));
        labels += said.length;
        const isKnown = (label: string): boolean => isLabelOrBegin(label, isLabel);
        assertAll(said, isKnown, `${example} has in italics what is no label`);
      }
    }
    assert.ok(labels > 20, `only ${labels} labels are found`);
  });

  it("say in the first node of each example what to press, or where to go, and what to see", () => {
    for (const [example, nodes] of exampleFlows()) {
      const namesOf = (wanted: string): readonly string[] =>
        nodes.filter(({ type }) => type === wanted).map(({ name = "" }) => name);
      const { info = "" } = nodes.find(({ type }) => type === "comment") ?? {};
      const [first = ""] = info.split("\n");
      const [, button = "", address = ""] =
        /^(?:Press \*\*(.+?)\*\*|.*\bopen .*(http:\/\/|`\/))/i.exec(first) ?? [];
      assert.ok(address !== "" || namesOf("inject").includes(button), `${example} begins with: ${first}`);
      const sees = namesOf("debug").some((name) => info.includes(`**${name}**`));
      assert.ok(sees || /debug sidebar|browser/.test(info), `${example} does not say what to see`);
    }
  });

  it("name examples that exist", () => {
    const names = exampleNames();
    for (const path of [...guides, "README.md", "docs/outcomes.md"]) {
      const examples = italicsOf(page(path)).filter((words) => /^\d\d - /.test(words));
      assertAll(examples, (name) => names.has(name), path);
    }
  });

  it("of assumptions name every assumed path, the defaults, and places that exist", () => {
    const text = page("docs/assumptions.md");
    for (const path of Object.values(ASSUMED_PATHS)) {
      assert.ok(text.includes(`\`${path}\``), path);
    }
    const { connections, queueLimit, attempts, connectTimeout, answerTimeout } = ACCOUNT_DEFAULTS;
    const { ackTimeout, sizeLimit, rememberHours, rememberMost, headerName } = WEBHOOK_DEFAULTS;
    const rows = text.split("\n").filter((line) => line.startsWith("| "));
    const account = readTexts("nodes/config/locales/en-US/messaging-account");
    const webhook = readTexts("nodes/webhook-in/locales/en-US/webhook-in");
    const media = readTexts("nodes/media-transfer/locales/en-US/media-transfer");
    for (const [label, value] of [
      [account.get("messaging-account.field.connections"), connections],
      [account.get("messaging-account.field.queueLimit"), queueLimit],
      [account.get("messaging-account.field.attempts"), attempts],
      [account.get("messaging-account.field.connectTimeout"), connectTimeout],
      [account.get("messaging-account.field.answerTimeout"), answerTimeout],
      [webhook.get("webhook-in.field.ackTimeout"), ackTimeout],
      [webhook.get("webhook-in.field.sizeLimit"), sizeLimit],
      [webhook.get("webhook-in.field.rememberHours"), rememberHours],
      [webhook.get("webhook-in.field.rememberMost"), rememberMost],
      [webhook.get("webhook-in.field.headerName"), headerName],
      [media.get("media-transfer.field.limit"), DEFAULT_LIMIT.download.buffer],
      [media.get("media-transfer.field.limit"), DEFAULT_LIMIT.download.file],
    ] as const) {
      assert.ok(label !== undefined && label !== "", `no label for ${value}`);
      const written = new RegExp(`\\b${value.toLocaleString("en-US")}\\b`);
      const isSaid = rows.some((row) => row.includes(`**${label}**`) && written.test(row));
      assert.ok(isSaid, `${label}: ${value}`);
    }
    const places = [...text.matchAll(/`((?:lib|simulator)\/[\w/.-]+)`/g)].map(([, place = ""]) => place);
    assert.ok(places.length > 10);
    assertAll(places, (place) => existsSync(join(ROOT, place)));
  });
});

describe("docs/webhooks-behind-a-proxy.md", () => {
  const text = page("docs/webhooks-behind-a-proxy.md");
  const [nginx = ""] = codeOf(text, "nginx");
  const called = (forwarded: string | undefined) =>
    ({
      headers: forwarded === undefined ? {} : { "x-forwarded-for": forwarded },
      socket: { remoteAddress: "127.0.0.1" },
    }) as unknown as IncomingMessage;

  it("has proxies that lead to a new webhook, and not to the editor's part", () => {
    const prefix = /location (\/\S+) \{/.exec(nginx)?.[1] ?? "";
    const rules = [
      prefix,
      /handle (\S+)\*/.exec(text)?.[1] ?? "",
      /PathPrefix\(`([^`]+)`\)/.exec(text)?.[1] ?? "",
    ];
    for (const rule of rules) {
      assert.ok(webhookPath("", "1f2e3d4c5b6a7980").startsWith(rule) && rule.length > 1, rule);
      assert.ok(!"/messaging-account/webhook-in/x/self-test".startsWith(rule), rule);
    }
    // With a path behind the port, nginx would put it in place of the prefix.
    assert.match(nginx, /proxy_pass http:\/\/127\.0\.0\.1:1880;/);
  });

  it("counts proxies as the webhook does", () => {
    const rows = [...text.matchAll(/^\| (?:one proxy|a load balancer[^|]*) \| (\d+) \|/gm)].map(([, n]) =>
      Number(n),
    );
    assert.deepEqual(rows, [1, 2]);
    assert.match(nginx, /proxy_set_header X-Forwarded-For \$proxy_add_x_forwarded_for;/);
    // What nginx makes of that variable: what came, and who called, with a comma between.
    const add = (came: string | undefined, caller: string) =>
      came === undefined ? caller : `${came}, ${caller}`;
    for (const made of [undefined, "198.51.100.9", "198.51.100.9, 198.51.100.8"]) {
      const one = add(made, "203.0.113.7");
      assert.deepEqual(clientAddress(called(one), 1), { ip: "203.0.113.7", isCertain: true });
      const two = add(one, "10.0.0.2");
      assert.deepEqual(clientAddress(called(two), 2), { ip: "203.0.113.7", isCertain: true });
      assert.equal(clientAddress(called(two), 1).ip, "10.0.0.2", "too low: the proxy");
    }
    assert.equal(
      clientAddress(called("198.51.100.9, 203.0.113.7"), 2).ip,
      "198.51.100.9",
      "too high: made up",
    );
    assert.deepEqual(clientAddress(called(undefined), 1), { ip: "127.0.0.1", isCertain: false });
  });

  it("says what a webhook takes at first", () => {
    assert.ok(text.includes(`${WEBHOOK_DEFAULTS.sizeLimit} KiB`));
    const label = readTexts("nodes/webhook-in/locales/en-US/webhook-in").get("webhook-in.field.ackTimeout");
    assert.match(
      text,
      new RegExp(`\\*\\*${label}\\*\\*, ${WEBHOOK_DEFAULTS.ackTimeout} seconds\\s+at first`),
    );
  });
});

describe("docs/security.md", () => {
  const rows = page("docs/security.md")
    .split("\n")
    .filter((line) => line.startsWith("| "));

  it("names for each claim tests that exist", () => {
    const named = [...page("docs/security.md").matchAll(/`([\w/.-]+\.test\.ts)`/g)].map(
      ([, file = ""]) => file,
    );
    assert.ok(named.length > 30);
    assertAll(named, (file) => existsSync(join(ROOT, "test", file)));
  });

  it("has no claim without a test", () => {
    const text = page("docs/security.md");
    const tables = text.split("| Claim | Test |").slice(1);
    assert.ok(tables.length >= 5 && rows.length > 30);
    for (const table of tables) {
      const [body = ""] = table.trimStart().split("\n\n");
      for (const row of body.split("\n").slice(1)) {
        assert.match(row, /\| `[^|]+\.test\.ts`[^|]*\|$/, row);
      }
    }
  });
});
