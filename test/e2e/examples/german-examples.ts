import assert from "node:assert/strict";
import { checkAssistant } from "./assistant-examples";
import { checkStopped } from "./monitoring-examples";
import type { ExampleCheck } from "../../support/node-red/example-run";
import { untilGathered } from "./on-call-examples";

const ADA = "+999560005";
const BEN = "+999560008";

/** What examples must do in German, where their words are not those of the English ones, by English file name. */
export const GERMAN_CHECKS: Readonly<Record<string, ExampleCheck>> = {
  "01 - Send one SMS": async (run) => {
    await run.press("Send a greeting");
    const [left] = await run.leaving("Send SMS");
    assert.equal(left?.to, run.id("Accepted"));
    const [taken] = await run.taken();
    assert.equal(taken?.content, "Hallo aus Node-RED: Grüße aus Zürich!");
  },

  "04 - WhatsApp text, template when the session has expired": async (run) => {
    await run.press("Has not written lately");
    await run.reaching("Sent as template");
    const taken = await run.taken();
    assert.deepEqual(
      taken.map(({ content }) => content),
      ["Hallo Ada, Ihre Bestellung 4711 liegt zur Abholung bereit."],
    );
  },

  "18 - Appointment reminders with YES and NO": async (run) => {
    await run.press("Remind everybody");
    const written = await run.reaching("Written", 2);
    assert.deepEqual(written.map(({ msg }) => [msg.to, msg.wait.word, msg.answer]).sort(), [
      [ADA, "JA", "bestätigt"],
      [BEN, "NEIN", "abgesagt"],
    ]);
    const taken = await run.taken();
    const texts = taken.map(({ content }) => content);
    assert.ok(
      texts.includes(
        "Guten Tag Ada, Ihr Termin ist am Montag um 09:00 Uhr. Kommen Sie? Bitte antworten Sie mit JA oder NEIN.",
      ),
      texts.join(", "),
    );
    await run.press("Show who confirmed");
    const [shown] = await run.reaching("The list");
    assert.deepEqual(shown?.msg.payload, {
      bestätigt: ["Ada, Montag 09:00"],
      abgesagt: ["Ben, Montag 09:30"],
      zurückrufen: [],
      "keine Antwort": [],
    });
  },

  "20 - On-call escalation": async (run) => {
    await run.deploy({ "Reply to the SMS?": { within: "1s" } });
    await run.press("50 alarms");
    const [taken] = await run.reaching("Taken");
    assert.match(
      String(taken?.msg.payload),
      /^Pumpe 2 steht\. (?:\d+ Alarme seit \d\d:\d\d\. )?Cleo übernimmt\.$/,
    );
    await untilGathered(run, 50, /gathered · 1 muted$/);
  },

  "24 - Assistant by a language model": checkAssistant({
    human: "MENSCH",
    wrote: (last, before) =>
      `Sie schrieben: ${last}${before === undefined ? "" : `. Davor schrieben Sie: ${before}`}. Darauf würde hier ein Sprachmodell antworten.`,
    person: "Danke. Eine Person antwortet Ihnen hier bald.",
    words: "Ich kann nur Worte lesen. Bitte schreiben Sie, was Sie brauchen, oder schreiben Sie MENSCH.",
    excuse: "Ich kann gerade nicht antworten. Schreiben Sie MENSCH, dann antwortet Ihnen eine Person.",
    refused: /^Unter dieser Adresse antwortet nichts\. Öffnen Sie „Das Modell fragen“/,
    unknown: /^Adresse oder Modell ist unbekannt\. Prüfen Sie die Adresse in „Das Modell fragen“/,
  }),

  "25 - Tell me when messages stop": checkStopped({
    stopped: "Nachrichten gehen nicht hinaus.",
    again: "Nachrichten gehen wieder hinaus.",
  }),

  "26 - Metrics for Prometheus": async (run) => {
    const answer = await fetch(`${run.nodeRed.url}/messaging-messwerte`);
    assert.match(
      await answer.text(),
      /^# HELP messaging_waiting_requests Requests that wait/m,
      "as Node-RED speaks",
    );
  },
};
