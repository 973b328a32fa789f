import assert from "node:assert/strict";
import type { QueueView } from "../../../lib/shared/history/history";
import { filesWith } from "../../support/files-with";
import { openPage, postForm, type WebPage } from "../../support/http/web-page";
import { restart } from "../../support/node-red/restart";
import { waitFor } from "../../support/wait-for";
import type { ExampleCheck } from "../../support/node-red/example-run";

/** What the example with a web form must do, by file name. */
export const LOGIN_CHECKS: Readonly<Record<string, ExampleCheck>> = {
  "21 - Login by one-time code": async (run) => {
    const { nodeRed } = run;
    const askFor = (number: string) => postForm(`${nodeRed.url}/login-demo-code`, { number });
    const typeIn = (number: string, code: string) =>
      postForm(`${nodeRed.url}/login-demo-check`, { number, code });
    /** The code of the last SMS. */
    const sentTo = async (number: string): Promise<string> => {
      const last = (await run.taken()).at(-1);
      assert.deepEqual(last?.recipients, [number.slice(1)]);
      const [, code] = /^([\dA-Z]+) is your code for the login demo\. /.exec(last?.content ?? "") ?? [];
      assert.ok(code, last?.content);
      return code;
    };
    const another = (code: string): string => (code === "000000" ? "111111" : "000000");

    // A code is in no file, also not while it waits to leave; of twelve letters, which are nowhere by chance.
    await run.deploy({
      "Make a code": { characters: "letters", length: "12", callerSource: "blank" },
      "Check the code": { callerSource: "blank" },
    });
    /** Asks for a code while nothing may leave; gives the code that waits, and what the browser gets. */
    const heldBack = async (number: string) => {
      await nodeRed.clearRecording();
      await run.control("sending/stop");
      const answer = askFor(number).catch(() => null);
      await waitFor("the code to wait", async () => {
        const { waiting } = (await run.control("queue/look", { after: 0 })) as QueueView;
        return waiting === 1;
      });
      const [made] = await run.leaving("Make a code");
      const [letters = ""] = `${made?.msg.payload}`.split(" ");
      assert.match(letters, /^[A-Z]{12}$/);
      await assertIsNowhere(letters, number);
      return { letters, answer };
    };
    const assertIsNowhere = async (letters: string, number: string) => {
      assert.notDeepEqual(await filesWith(nodeRed.folder, number.slice(1)), [], "the history has the number");
      assert.deepEqual(await filesWith(nodeRed.folder, letters), []);
      assert.ok(!nodeRed.logs().includes(letters), "the log has the code");
    };
    const held = await heldBack("+999555000004");
    await run.control("sending/go-on");
    assert.equal((await held.answer)?.status, 200);
    assert.equal(await sentTo("+999555000004"), held.letters);
    assert.equal((await typeIn("+999555000004", held.letters)).status, 200);
    await assertIsNowhere(held.letters, "+999555000004");

    // Node-RED is killed before the code has left: no browser waits for the page any more.
    const killed = await heldBack("+999555000005");
    await restart(run.bench, "kill");
    assert.equal(await killed.answer, null);
    await run.control("sending/go-on");
    await run.reaching("Is the browser there?");
    assert.equal(await sentTo("+999555000005"), killed.letters);
    assert.equal((await typeIn("+999555000005", killed.letters)).status, 200);
    await run.deploy();

    const form = await openPage(`${nodeRed.url}/login-demo`);
    assert.equal(form.status, 200);
    assert.match(form.html, /<form method="post" action="login-demo-code">[\s\S]*name="number"/);
    assert.match(form.headers.get("content-security-policy") ?? "", /^default-src 'none'/);
    assert.equal(form.headers.get("cache-control"), "no-store");
    assert.match(form.headers.get("content-type") ?? "", /^text\/html; charset=utf-8$/i);

    // Node-RED is killed between the two pages.
    const second = await askFor("+999 555 000 001");
    assert.equal(second.status, 200);
    const number = second.hidden("number") ?? "";
    assert.equal(number, "+999555000001");
    const code = await sentTo(number);
    assert.match(code, /^\d{6}$/);
    const wrong = await typeIn(number, another(code));
    assert.deepEqual([wrong.status, wrong.hidden("number")], [403, number]);
    assert.match(wrong.text, /This code is not right\. You can try 4 more times\./);
    await restart(run.bench, "kill");
    const over = await typeIn("+999555000007", code);
    assert.equal(over.status, 403, "of another number");
    assert.match(over.text, /This code is not valid any more\. Ask for a new one\./);
    const welcome = await typeIn(number, ` ${code.slice(0, 3)} ${code.slice(3)}`);
    assert.equal(welcome.status, 200);
    assert.match(welcome.text, /^Welcome .* \+999555000001\./);
    assert.deepEqual((await typeIn(number, code)).html, over.html, "a code is right once");

    // What does not arrive, and what may not have arrived.
    const refused = await askFor("+999004031");
    assert.equal(refused.status, 503);
    assert.match(refused.text, /We cannot send an SMS to this number now\./);
    assert.doesNotMatch(refused.text, /blacklist/i);
    const lost = await askFor("+999020001");
    assert.deepEqual([lost.status, lost.hidden("number")], [200, "+999020001"]);
    assert.match(lost.text, /The SMS may not arrive\./);

    // What was typed does not come back.
    const script = '"><script>alert(1)</script>';
    for (const page of [
      await askFor(script),
      await typeIn(script, "1"),
      await askFor(""),
      await postForm(`${nodeRed.url}/login-demo-code`, "number=%2B999555000001&number=%2B999555000002"),
      await postForm(`${nodeRed.url}/login-demo-check`, "number=%2B999555000001"),
      await postForm(`${nodeRed.url}/login-demo-check`, ""),
    ]) {
      assert.equal(page.status, 400);
      assert.match(page.text, /Type your number with its country code/);
      assert.doesNotMatch(page.html, /<script|alert\(/);
    }
    const typed = await typeIn("+999555000001", script);
    assert.deepEqual([typed.status, typed.html], [403, over.html]);

    // Five guesses, then the right one is not right either, and the page does not tell this from no code.
    await askFor("+999555000002");
    const guessed = await sentTo("+999555000002");
    const guesses: WebPage[] = [];
    for (let n = 0; n < 5; n++) guesses.push(await typeIn("+999555000002", another(guessed)));
    assert.deepEqual(
      guesses.map(({ text }) => /You can try (.+?)\./.exec(text)?.[1]),
      ["4 more times", "3 more times", "2 more times", "once more", undefined],
    );
    assert.deepEqual(
      [guesses[4]?.html, (await typeIn("+999555000002", guessed)).html],
      [over.html, over.html],
    );

    // Five codes for a number, and twenty codes made and checked for a caller.
    const asks: number[] = [];
    for (let n = 0; n < 6; n++) asks.push((await askFor("+999555000003")).status);
    assert.deepEqual(asks, [200, 200, 200, 200, 200, 429]);
    const late = await askFor("+999555000006");
    assert.equal(late.status, 429);
    assert.match(late.text, /Too many codes were asked for\. Try again in an hour\./);
    const made20 = (await run.taken()).length;
    assert.equal((await typeIn("+999555000003", await sentTo("+999555000003"))).html, over.html);
    assert.equal((await run.taken()).length, made20);

    // A node that cannot work.
    await run.deploy({ "Make a code": { template: "no code" } });
    const broken = await askFor("+999555000001");
    assert.equal(broken.status, 500);
    assert.match(broken.text, /Something does not work here\. Try again in a few minutes\./);
    assert.doesNotMatch(broken.html, /template|code}}/);
  },
};
