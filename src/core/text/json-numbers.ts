/** From this magnitude on, a double may not hold the next whole number. */
const exactMax = 2 ** 53;

/** Digits of the longest whole number that is a finite double. */
const finiteDigitsMax = 309;

/** Digits that every number below `exactMax` may have: 2^53 has 16 digits. */
const exactDigits = 15;

/**
 * Whether a number may be so large that a double cannot hold it exactly, without reading a long
 * one. False for numbers below 2^53, and for texts that are no number of JSON.
 */
export function mayBeInexact(literal: string): boolean {
  if (literal.length <= exactDigits && !/e/i.test(literal)) return false;
  return partsOf(literal) !== undefined && Math.abs(Number(literal)) >= exactMax;
}

/**
 * Whether the double of a large number (`mayBeInexact`) is another number. A number with an
 * exponent is a rounded one, so it is the same if a program that prints the double prints its
 * digits.
 */
export function isChangedByDouble(literal: string): boolean {
  const parts = partsOf(literal);
  const value = Number(literal);
  if (parts === undefined || !Number.isFinite(value)) return true;
  const { digits, zeros, isRounded } = parts;
  // A number with a fraction, or longer than any double.
  if (zeros < 0 || digits.length + zeros > finiteDigitsMax) return true;
  if (isRounded && !isRespelled(literal)) return false;
  return BigInt(value) !== BigInt(digits + "0".repeat(zeros)) * (value < 0 ? -1n : 1n);
}

/** Whether the double of a number is printed with other digits. */
export function isRespelled(literal: string): boolean {
  const given = partsOf(literal);
  const printed = partsOf(String(Number(literal)));
  return given?.digits !== printed?.digits || given?.zeros !== printed?.zeros;
}

/** A number without its sign. */
interface Parts {
  /** The digits from the first to the last that is not 0. */
  readonly digits: string;
  /** The number of zeros that follow them. Negative: the number of digits after the dot. */
  readonly zeros: number;
  /** Whether it has an exponent. */
  readonly isRounded: boolean;
}

function partsOf(literal: string): Parts | undefined {
  const [, whole, fraction = "", exponent] =
    /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(literal) ?? [];
  if (whole === undefined) return undefined;
  const all = (whole + fraction).replace(/^0+/, "");
  const digits = withoutLastZeros(all);
  const zeros = Number(exponent ?? 0) - fraction.length + all.length - digits.length;
  return { digits, zeros, isRounded: exponent !== undefined };
}

function withoutLastZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === "0") end--;
  return digits.slice(0, end);
}
