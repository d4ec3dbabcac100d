import { type ReactNode, useId } from 'react'
import './field.css'

export type FieldChoice<V extends string> = { value: V; label: ReactNode; hint?: ReactNode }

/** Big radios: why a stop is skipped, which crew. */
export const ChoiceList = <V extends string>({
  label,
  choices,
  value,
  onChange,
}: {
  label: ReactNode
  choices: readonly FieldChoice<V>[]
  value: V | null
  onChange: (value: V) => void
}) => {
  const name = useId()
  return (
    <fieldset className="f-choices">
      <legend>{label}</legend>
      {choices.map((choice) => (
        <label key={choice.value} className="f-choice">
          <input
            type="radio"
            name={name}
            value={choice.value}
            checked={choice.value === value}
            onChange={() => onChange(choice.value)}
          />
          <span>
            {choice.label}
            {choice.hint ? <span className="f-choice__hint">{choice.hint}</span> : null}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
