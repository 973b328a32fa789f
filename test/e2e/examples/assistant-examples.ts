import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { ReplyForm, ReplyPlan } from "../../../lib/shared/history/typed-reply";
import type { ExampleCheck, ExampleRun } from "../../support/node-red/example-run";
import { waitFor } from "../../support/wait-for";

const ADA = "+999560001";
const BEN = "+999555000002";
const CLEO = "+999555000003";
const DORA = "+999555000004";
const EMIL = "+999555000005";

/** What the example is told and says, in its language. */
interface Words {
  readonly human: string;
  /** What the stub says of the last message, and of the one before it. */
  readonly wrote: (last: string, before?: string) => string;
  readonly person: string;
  readonly words: string;
  readonly excuse: string;
  /** What to do where nothing answers at the address, and where the address is unknown. */
  readonly refused: RegExp;
  readonly unknown: RegExp;
}

/** Deploys it with the stub at the address of this Node-RED. @param path another one, or a whole address, which does not answer */
async function deploy(run: ExampleRun, given: { path?: string; limit?: number } = {}): Promise<void> {
  const of = (name: string) => run.example.flows.find(({ id }) => id === run.id(name));
  const { path = String(of("In place of a model")?.url), limit = 20 } = given;
  const rules = JSON.stringify(of("Who answers?")?.rules).replace(">= 20", `>= ${limit}`);
  await run.deploy({
    "Ask the model": { url: new URL(path, run.nodeRed.url).href },
    "Who answers?": { rules: JSON.parse(rules) },
  });
}

/** Somebody types a reply below the conversation, as the sidebar sends it. */
async function typeReply(run: ExampleRun, number: string, text: string): Promise<void> {
  const { begin, nodes } = (await run.control("history/reply-nodes", { number })) as ReplyForm;
  const node = nodes.find((each) => each.node.endsWith(run.id("Reply")))?.node;
  const typed = { number, node, text };
  const plan = (await run.control("history/plan-reply", typed)) as ReplyPlan;
  assert.equal(plan.refused, null);
  const sent = { ...typed, id: begin + randomUUID(), shown: plan.refused === null ? plan.shown : "" };
  assert.deepEqual(await run.control("history/reply", sent), { what: "taken" });
}

/** The assistant example in one of its languages. */
export const checkAssistant =
  ({ human, wrote, person, words, excuse, refused, unknown }: Words): ExampleCheck =>
  async (run) => {
    const texts = async (): Promise<readonly string[]> =>
      (await run.taken()).map(({ recipients, content }) => `${recipients.join()}: ${content}`);
    const write = async (sender: string, text: string): Promise<void> => {
      await run.nodeRed.clearRecording();
      await run.write(sender, text, "whatsapp");
    };
    const answer = async (sender: string, text: string): Promise<string | undefined> => {
      await write(sender, text);
      await run.reaching("Reply accepted");
      return (await texts()).at(-1);
    };

    await deploy(run);
    await run.press("Greet Ada");
    await run.reaching("Reply accepted");
    assert.equal((await texts()).at(-1), `${ADA}: ${wrote("Yes, please")}`);
    assert.equal(
      await answer(ADA, "When are you open?"),
      `${ADA}: ${wrote("When are you open?", "Yes, please")}`,
    );
    const [asked] = await run.reaching("Ask the model");
    assert.deepEqual(
      asked?.msg.payload.messages.map(({ role, content }: Record<string, string>) =>
        role === "system" ? role : [role, content],
      ),
      [
        "system",
        ["assistant", "welcome"],
        ["user", "Yes, please"],
        ["assistant", wrote("Yes, please")],
        ["user", "When are you open?"],
      ],
      "the model is given both directions, in their order",
    );

    assert.equal(await answer(BEN, "?!"), `${BEN}: ${wrote("?!")}`, "nothing of Ada's conversation");
    assert.equal(
      await answer(BEN, "?!"),
      `${BEN}: ${wrote("?!", "?!")}`,
      "the same words are answered again",
    );
    assert.equal(await answer(BEN, " "), `${BEN}: ${words}`);

    assert.equal(await answer(CLEO, `${human}!`), `${CLEO}: ${person}`);
    const before = await texts();
    await write(CLEO, "Are you there?");
    const [forPerson] = await run.reaching("For a person");
    assert.deepEqual([forPerson?.msg.from, forPerson?.msg.text], [CLEO, "Are you there?"]);
    await write(CLEO, "STOP");
    await run.reaching("No answer");
    assert.deepEqual(await texts(), before, "neither is answered by the assistant");

    assert.equal(await answer(EMIL, "Hello"), `${EMIL}: ${wrote("Hello")}`);
    await typeReply(run, EMIL, "Here is Eva. How can I help?");
    const typed = `${EMIL}: Here is Eva. How can I help?`;
    await waitFor("the typed reply", async () => (await texts()).at(-1) === typed);
    await write(EMIL, "When are you open?");
    const [taken] = await run.reaching("For a person");
    assert.deepEqual([taken?.msg.from, taken?.msg.text], [EMIL, "When are you open?"]);
    assert.equal((await texts()).at(-1), typed, "the assistant is silent after a person has answered");
    const after = (await run.taken()).length;

    await deploy(run, { limit: 1 });
    assert.equal(await answer(DORA, "One"), `${DORA}: ${wrote("One")}`);
    await write(DORA, "Two");
    await run.reaching("For a person");
    assert.equal((await texts()).at(-1), `${DORA}: ${wrote("One")}`, "it is a person's turn");

    await deploy(run, { path: "/nowhere" });
    await write(DORA, "Three");
    const [missing] = await run.reaching("The model did not answer");
    assert.match(missing?.msg.problem, unknown);
    await waitFor("the excuse", async () => (await texts()).at(-1) === `${DORA}: ${excuse}`);
    assert.equal((await run.taken()).length, after + 2);
    await deploy(run, { path: "http://127.0.0.1:1/v1/chat/completions" });
    await write(DORA, "Four");
    const [away] = await run.reaching("The model did not answer");
    assert.match(away?.msg.problem, refused);
  };

/** What the example with a language model must do. */
export const ASSISTANT_CHECKS: Readonly<Record<string, ExampleCheck>> = {
  "24 - Assistant by a language model": checkAssistant({
    human: "HUMAN",
    wrote: (last, before) =>
      `You wrote: ${last}${before === undefined ? "" : `. Before that you wrote: ${before}`}. A language model would answer that here.`,
    person: "Thank you. A person will answer you here soon.",
    words: "I can only read words. Please write what you need, or write HUMAN.",
    excuse: "I cannot answer right now. Write HUMAN, and a person will answer you.",
    refused: /^Nothing answers at this address\. Open “Ask the model” and check its port/,
    unknown: /^Address or model is unknown\. Check the address in “Ask the model”/,
  }),
};
