/**
 * Removes the parameters of a content type if they only name UTF-8, in any form that HTTP allows,
 * such as `charset="utf-8"`. Connect knows one form alone.
 */
export function acceptCharset(header: Headers): void {
  const contentType = header.get("content-type");
  if (contentType === null || !contentType.includes(";")) return;
  const [mediaType = "", ...parameters] = contentType.split(";");
  if (parameters.every(isUtf8)) header.set("content-type", mediaType.trim());
}

function isUtf8(parameter: string): boolean {
  return /^\s*(charset\s*=\s*("utf-?8"|utf-?8)\s*)?$/i.test(parameter);
}
