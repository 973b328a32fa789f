/** A time in the format of the service: ISO 8601 with milliseconds and the UTC offset of this machine. */
export function localTime(milliseconds: number): string {
  const east = -new Date(milliseconds).getTimezoneOffset();
  const local = new Date(milliseconds + east * 60_000).toISOString().slice(0, -1);
  const distance = Math.abs(east);
  const part = (value: number) => String(Math.floor(value)).padStart(2, "0");
  return `${local}${east < 0 ? "-" : "+"}${part(distance / 60)}:${part(distance % 60)}`;
}
