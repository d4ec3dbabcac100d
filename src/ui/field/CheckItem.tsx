import type { ReactNode } from 'react'
import './field.css'

/** One line of a checklist. */
export const CheckItem = ({
  label,
  hint,
  checked,
  onChange,
}: {
  label: ReactNode
  hint?: ReactNode
  checked: boolean
  onChange: (checked: boolean) => void
}) => (
  <label className="f-choice">
    <input type="checkbox" checked={checked} onChange={(event) => onChange(event.target.checked)} />
    <span>
      {label}
      {hint ? <span className="f-choice__hint">{hint}</span> : null}
    </span>
  </label>
)
