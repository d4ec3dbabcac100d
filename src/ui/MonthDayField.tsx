import { monthNames } from '../shared/dates.ts'
import { SelectField } from './SelectField.tsx'
import './MonthDayField.css'

const lengths = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const two = (n: number): string => String(n).padStart(2, '0')

type Props = { label: string; value: string; onChange: (value: string) => void; disabled?: boolean }

/** A day of the year as MM-DD. */
export const MonthDayField = ({ label, value, onChange, disabled }: Props) => {
  const [month, day] = [Number(value.slice(0, 2)), Number(value.slice(3))]
  const put = (m: number, d: number) => onChange(`${two(m)}-${two(Math.min(d, lengths[m - 1] ?? 31))}`)
  return (
    <fieldset className="month-day" {...(disabled ? { disabled } : {})}>
      <legend>{label}</legend>
      <SelectField
        label={`${label}: month`}
        hideLabel
        value={String(month)}
        onChange={(next) => put(Number(next), day)}
        options={monthNames.map((name, at) => ({ value: String(at + 1), label: name }))}
      />
      <SelectField
        label={`${label}: day`}
        hideLabel
        value={String(day)}
        onChange={(next) => put(month, Number(next))}
        options={Array.from({ length: lengths[month - 1] ?? 31 }, (_, at) => ({
          value: String(at + 1),
          label: String(at + 1),
        }))}
      />
    </fieldset>
  )
}
