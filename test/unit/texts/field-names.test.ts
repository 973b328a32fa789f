import assert from "node:assert/strict";
import { FIELD_TABLES, SHARED_TABLES } from "../../../scripts/build/field-tables";
import type { ChannelDefinition } from "../../../lib/runtime/channels/channel-definition";
import { SMS_CHANNEL } from "../../../lib/runtime/channels/sms-channel";
import { WHATSAPP_CHANNEL } from "../../../lib/runtime/channels/whatsapp-channel";
import { loadNodeRuntimes } from "../../support/node-runtimes";
import { SMS_FIELDS } from "../../../lib/shared/fields/sms-fields";
import { WHATSAPP_FIELDS } from "../../../lib/shared/fields/whatsapp-fields";
import { FieldError } from "../../../lib/shared/messaging-error";
import type { Language } from "../../../lib/texts/catalogues";
import { fieldLabel, NO_LABELS } from "../../../lib/texts/field-labels";
import { fieldNames } from "../../../lib/texts/field-names";
import { setLanguage } from "../../../lib/texts/say";

describe("names of fields in errors", () => {
  let runtimes: Awaited<ReturnType<typeof loadNodeRuntimes>>;
  before(async () => {
    runtimes = await loadNodeRuntimes();
  });
  afterEach(() => setLanguage(() => "en-US"));

  for (const language of ["en-US", "de"] as const satisfies readonly Language[]) {
    it(`exist for every field of every dialog in ${language}`, () => {
      setLanguage(() => language);
      const missing = Object.entries(FIELD_TABLES).flatMap(([folder, specs]) =>
        [...specs, ...Object.values(SHARED_TABLES).flat()]
          .filter(({ name }) => !fieldLabel(runtimes.get(`messaging-${folder}`)?.labels ?? NO_LABELS, name))
          .map(({ name }) => `${folder} ${name}`),
      );
      assert.deepEqual(missing, []);
    });
  }

  const messageOf = (
    { labels }: ChannelDefinition,
    specs: Parameters<typeof fieldNames>[1],
    config: object,
    error: FieldError,
  ): string => error.named(fieldNames(labels, specs, { ...config })).message;
  const missing = (field: string): FieldError => new FieldError("FIELD_INVALID", field, "is empty");

  it("match the labels of the dialog, with the service's parameter in brackets", () => {
    assert.equal(
      messageOf(SMS_CHANNEL, SMS_FIELDS, {}, missing("messageContent")),
      "Text is empty (messageContent)",
    );
    assert.equal(
      messageOf(SMS_CHANNEL, SMS_FIELDS, {}, missing("maxSmsPerMessage")),
      "“Max. SMS” is empty (maxSmsPerMessage)",
    );
  });

  it("follow Node-RED's language", () => {
    setLanguage(() => "de");
    const text = messageOf(SMS_CHANNEL, SMS_FIELDS, {}, missing("recipientAddressList"));
    assert.equal(text, "„Empfänger“ is empty (recipientAddressList)");
  });

  it("depend on the kind when two fields share a parameter", () => {
    const content = missing("content");
    const of = (kind: string): string => messageOf(WHATSAPP_CHANNEL, WHATSAPP_FIELDS, { kind }, content);
    assert.equal(of("text"), "Text is empty (content)");
    assert.equal(of("media"), "Description is empty (content)");
  });

  it("name each wrong field once", () => {
    const parts = { others: [{ field: "senderAddress", problem: "is too long" }], more: "; and 3 more" };
    const error = new FieldError("FIELD_INVALID", "messageContent", "is empty", parts);
    const names = fieldNames(SMS_CHANNEL.labels, SMS_FIELDS, {});
    const named = error.named(names);
    assert.equal(
      named.message,
      "Text is empty; Sender is too long; and 3 more (messageContent, senderAddress)",
    );
    assert.equal(named.named(() => null).message, named.message);
    assert.deepEqual([named.code, named.field], ["FIELD_INVALID", "messageContent"]);
  });
});
