/** Stub until the part is merged. */
export interface SendingHours {
  zoneOf(recipient: string): string;
  opensAt(zone: string, now: number): number;
  readonly refuses: boolean;
  isExempt(category: string): boolean;
}
