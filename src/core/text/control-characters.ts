/** Whether a text has control characters, such as NUL or a line break. */
export function hasControlCharacters(text: string): boolean {
  return /\p{Cc}/u.test(text);
}
