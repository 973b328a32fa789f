import assert from "node:assert/strict";
import { reaching } from "../support/node-red/reaching";
import type { ExampleCheck } from "./receiving-examples";

const ADA = "+999560005";
const BEN = "+999560008";

/** What examples must do in German, where their words are not those of the English ones, by English file name. */
export const GERMAN_CHECKS: Readonly<Record<string, ExampleCheck>> = {
  "01 - Send one SMS": async ({ nodeRed, simulator }, example) => {
    await nodeRed.inject(example.id("Send a greeting"));
    const [left] = await nodeRed.messages(example.id("Send SMS"), 0);
    assert.equal(left?.to, example.id("Accepted"));
    const [taken] = await simulator.messages(example.id("messaging-account"));
    assert.equal(taken?.content, "Hallo aus Node-RED: Grüße aus Zürich!");
  },

  "04 - WhatsApp text, template when the session has expired": async (bench, example) => {
    await bench.nodeRed.inject(example.id("Has not written lately"));
    await reaching(bench, example.id("Sent as template"));
    const taken = await bench.simulator.messages(example.id("messaging-account"));
    assert.deepEqual(
      taken.map(({ content }) => content),
      ["Hallo Ada, Ihre Bestellung 4711 liegt zur Abholung bereit."],
    );
  },

  "18 - Appointment reminders with YES and NO": async (bench, example) => {
    const { nodeRed, simulator } = bench;
    await nodeRed.inject(example.id("Remind everybody"));
    const written = await reaching(bench, example.id("Written"), 2);
    assert.deepEqual(written.map(({ msg }) => [msg.to, msg.wait.word, msg.answer]).sort(), [
      [ADA, "JA", "bestätigt"],
      [BEN, "NEIN", "abgesagt"],
    ]);
    const taken = await simulator.messages(example.id("messaging-account"));
    const texts = taken.map(({ content }) => content);
    assert.ok(
      texts.includes(
        "Guten Tag Ada, Ihr Termin ist am Montag um 09:00 Uhr. Kommen Sie? Bitte antworten Sie mit JA oder NEIN.",
      ),
      texts.join(", "),
    );
    await nodeRed.clearRecording();
    await nodeRed.inject(example.id("Show who confirmed"));
    const [shown] = await reaching(bench, example.id("The list"));
    assert.deepEqual(shown?.msg.payload, {
      bestätigt: ["Ada, Montag 09:00"],
      abgesagt: ["Ben, Montag 09:30"],
      "keine Antwort": [],
    });
  },
};
