import { NumberField } from '#src/ui/NumberField.tsx'
import { SelectField } from '#src/ui/SelectField.tsx'
import type { Calendar, SeasonSpan } from '../rules.ts'

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const lastDays = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const two = (n: number): string => String(n).padStart(2, '0')
const say = (md: string): string => `${months[Number(md.slice(0, 2)) - 1]} ${Number(md.slice(3))}`

type Props = {
  value: SeasonSpan[] | undefined
  onChange: (value: SeasonSpan[] | undefined) => void
  calendar: Calendar
}

/** A day of the year, of any year. */
export const MonthDay = ({
  label,
  value,
  onChange,
}: {
  label: string
  value: string
  onChange: (value: string) => void
}) => {
  const month = Number(value.slice(0, 2))
  const put = (m: number, d: number) => onChange(`${two(m)}-${two(Math.min(lastDays[m - 1] ?? 31, Math.max(1, d)))}`)
  return (
    <span className="sched__md">
      <SelectField
        label={`${label}, month`}
        hideLabel
        value={String(month)}
        onChange={(m) => put(Number(m), Number(value.slice(3)))}
        options={months.map((name, index) => ({ value: String(index + 1), label: name }))}
      />
      <NumberField
        label={`${label}, day`}
        hideLabel
        min={1}
        max={31}
        value={Number(value.slice(3))}
        onChange={(day) => put(month, Math.round(day ?? 1))}
      />
    </span>
  )
}

/** In which part of the year the work is done. */
export const SeasonField = ({ value, onChange, calendar }: Props) => {
  const own = calendar.season[0] ?? { from: '03-01', to: '11-30' }
  const kind = value === undefined ? 'business' : value.length === 0 ? 'year' : 'own'
  const span = value?.[0] ?? own
  return (
    <div className={kind === 'own' ? 'is-whole sched__season' : undefined}>
      <SelectField
        label="Season"
        value={kind}
        hint={kind === 'business' ? `${say(own.from)} to ${say(own.to)}` : undefined}
        onChange={(next) => onChange(next === 'business' ? undefined : next === 'year' ? [] : [own])}
        options={[
          { value: 'business', label: 'Our season' },
          { value: 'year', label: 'All year' },
          { value: 'own', label: 'Other dates' },
        ]}
      />
      {kind === 'own' ? (
        <div className="sched__span">
          <MonthDay label="Season from" value={span.from} onChange={(from) => onChange([{ ...span, from }])} />
          <span className="muted">to</span>
          <MonthDay label="Season to" value={span.to} onChange={(to) => onChange([{ ...span, to }])} />
        </div>
      ) : null}
    </div>
  )
}
