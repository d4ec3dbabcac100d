import { type ReactNode, useId } from 'react'
import './field.css'

/** One of many known things, by the phone's own list. For a few that should be seen at once there is ChoiceList. */
export const FieldSelect = <V extends string>({
  label,
  value,
  choices,
  onChange,
}: {
  label: ReactNode
  value: V
  choices: readonly { value: V; label: string }[]
  onChange: (value: V) => void
}) => {
  const id = useId()
  return (
    <div className="f-input">
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onChange(event.target.value as V)}>
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
    </div>
  )
}
