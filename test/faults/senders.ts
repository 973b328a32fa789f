/** Ways to send that differ in method, encoding or authentication. */
export const SENDERS: readonly (Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly to: string;
})[] = [
  { id: "by-form", type: "sms-send", interface: "form", to: "41790000001" },
  { id: "by-get", type: "sms-send", interface: "get", to: "41790000002" },
  { id: "by-json", type: "sms-send", interface: "json", to: "41790000003" },
  { id: "by-token", type: "whatsapp-send", kind: "text", to: "+999555000001" },
];

export const CONNECTIONS = 16;
