/** Draws only changed values, compared as JSON: a button replaced under the mouse would lose the click. */
export function whenChanged<Value>(draw: (value: Value) => void): (value: Value) => void {
  let drawn: string | undefined;
  return (value) => {
    const now = JSON.stringify(value);
    if (now !== drawn) {
      drawn = now;
      draw(value);
    }
  };
}
