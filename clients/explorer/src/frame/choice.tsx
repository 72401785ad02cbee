type Props<T> = {
  label: string;
  value: T;
  values: readonly (readonly [T, string])[];
  onChange: (value: T) => void;
};

/** A labelled list of values. */
export function Choice<T extends string>({ label, value, values, onChange }: Props<T>) {
  return (
    <label class="choice">
      <span>{label}</span>
      <select value={value} onChange={({ currentTarget }) => onChange(currentTarget.value as T)}>
        {values.map(([each, text]) => (
          <option value={each} selected={each === value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A few values next to each other. */
export function Toggle<T extends string>({ label, value, values, onChange }: Props<T>) {
  return (
    <div class="toggle" role="group" aria-label={label}>
      {values.map(([each, text]) => (
        <button type="button" aria-pressed={each === value} onClick={() => onChange(each)}>
          {text}
        </button>
      ))}
    </div>
  );
}
