import type { JSX, TargetedEvent } from "preact";

interface FieldProps {
  readonly name: string;
  readonly value: string;
  /** How wide the input is. */
  readonly width: "tiny" | "short" | "long" | "query";
  /** Whether the value must be a number. What is no number is empty. */
  readonly isNumber?: boolean;
  /** Called with the value once it has been typed. */
  readonly onChange: (value: string) => void;
}

/** A labelled input of a filter. */
export function Field({ name, value, width, isNumber = false, onChange }: FieldProps): JSX.Element {
  const input = {
    class: width,
    value,
    onChange: ({ currentTarget }: TargetedEvent<HTMLInputElement>) => onChange(currentTarget.value),
  };
  const label = <span class="faint">{name} </span>;
  return isNumber ? (
    <label>
      {label}
      <input {...input} type="number" step="any" />
    </label>
  ) : (
    <label>
      {label}
      <input {...input} />
    </label>
  );
}
