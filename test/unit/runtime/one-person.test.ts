import assert from "node:assert/strict";
import { readCodeRequest } from "../../../nodes/verify-code/runtime/code-request";
import { readLogQuery } from "../../../nodes/message-log/runtime/log-query";
import { readNumbers } from "../../../nodes/opt-out/runtime/read-numbers";
import { readRecipients } from "../../../lib/runtime/send/parts/message-parts";
import { eventPerson, senderDigits } from "../../../lib/runtime/store/event-fields";
import { searchedNumber } from "../../../lib/runtime/store/history/searched-number";
import { inboundMessage, inboundSms, statusMessage } from "../../support/http/webhook-events";

type Reading = (text: string) => unknown;
const eventOf = (kind: "inbound" | "status", payload: Record<string, unknown>) => ({
  kind,
  sender: String(payload.senderAddress ?? payload.sender),
  payload,
});
const log = (kind: "number" | "search", field: string) => (text: string) =>
  (readLogQuery(kind, { [field]: text }, "", 0) as { number?: string }).number;

/** Each way in which a number enters, with what is kept of it. */
const WAYS: Readonly<Record<string, Reading>> = {
  "recipient of a message": async (text) => (await readRecipients(text, "")).accepted[0],
  "recipient of a list": async (text) => (await readRecipients([text], "")).accepted[0],
  "recipient of an account with a default country": async (text) =>
    (await readRecipients(text, "CH")).accepted[0],
  "number of a one-time code": (text) =>
    readCodeRequest({ number: text, purpose: "login" }, "", false).number,
  "number of the list of opt-outs": async (text) => (await readNumbers([text], "", "numbers")).numbers[0],
  "number asked of the message log": log("number", "number"),
  "recipient asked of the message log": log("search", "recipient"),
  "number searched for in the sidebar": (text) => searchedNumber(text, ""),
  "sender of an SMS": (text) => senderDigits(eventOf("inbound", inboundSms({ senderAddress: text }))),
  "sender of a WhatsApp message": (text) =>
    senderDigits(eventOf("inbound", inboundMessage({ sender: text }))),
  "number of a status": (text) => senderDigits(eventOf("status", statusMessage({ sender: text }))),
  "person of an event for the flow": (text) =>
    eventPerson(eventOf("inbound", inboundSms({ senderAddress: text })))?.slice(1),
};

describe("one person in every spelling of the number", () => {
  it("identifies one recipient wherever the number enters", async () => {
    for (const [way, read] of Object.entries(WAYS)) {
      for (const text of ["+41790000001", "+410790000001", "0041 079 000 00 01", "410790000001"]) {
        assert.equal(await read(text), "41790000001", `${way}: ${text}`);
      }
    }
  });
});
