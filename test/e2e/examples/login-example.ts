import assert from "node:assert/strict";
import type { ExampleCheck } from "../../support/node-red/example-run";

/** A page as a browser gets it. @param fields of a form that is sent; without them the page is opened */
async function openPage(url: string, fields?: Readonly<Record<string, string>>) {
  const form = fields && { method: "POST", body: new URLSearchParams(fields) };
  const response = await fetch(url, { headers: { connection: "close" }, ...form });
  const html = await response.text();
  const [, body = ""] = html.split("<body>");
  const text = body.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
  return { status: response.status, policy: response.headers.get("content-security-policy"), html, text };
}

/** What the example with a web form must do. */
export const checkLogin: ExampleCheck = async (run) => {
  const { url } = run.nodeRed;
  const askFor = (number: string) => openPage(`${url}/login-demo-code`, { number });
  const enter = (number: string, code: string) => openPage(`${url}/login-demo-check`, { number, code });
  /** The code of the last SMS. */
  const codeFor = async (number: string): Promise<string> => {
    const last = (await run.taken()).at(-1);
    assert.deepEqual(last?.recipients, [number.slice(1)]);
    return /^(\d{6}) is your code for the login demo\. /.exec(`${last?.content}`)?.[1] ?? "none";
  };
  const another = (code: string): string => (code === "000000" ? "111111" : "000000");

  const form = await openPage(`${url}/login-demo`);
  assert.match(form.html, /<form method="post" action="login-demo-code">[\s\S]*name="number"/);
  assert.match(form.policy ?? "", /^default-src 'none'/);

  const second = await askFor("+999 555 000 001");
  const number = "+999555000001";
  assert.equal(second.status, 200);
  assert.ok(second.html.includes(`<input type="hidden" name="number" value="${number}">`));
  const code = await codeFor(number);
  const wrong = await enter(number, another(code));
  assert.equal(wrong.status, 403);
  assert.match(wrong.text, /You can try 4 more times\./);
  const welcome = await enter(number, ` ${code.slice(0, 3)} ${code.slice(3)}`);
  assert.equal(welcome.status, 200);
  assert.match(welcome.text, /^ ?Welcome .* \+999555000001\./);
  const over = await enter(number, code);
  assert.equal(over.status, 403, "a code is right once");

  const refused = await askFor("+999004031");
  assert.equal(refused.status, 503);
  assert.doesNotMatch(refused.text, /blacklist/i);

  const script = '"><script>alert(1)</script>';
  for (const page of [await askFor(script), await enter(script, "1"), await askFor("")]) {
    assert.equal(page.status, 400);
    assert.doesNotMatch(page.html, /<script|alert\(/);
  }

  await askFor("+999555000002");
  const guessed = await codeFor("+999555000002");
  let last = form;
  for (let guess = 0; guess < 5; guess++) last = await enter("+999555000002", another(guessed));
  const right = await enter("+999555000002", guessed);
  assert.deepEqual([last.html, right.html], [over.html, over.html], "five guesses use up a code");
};
