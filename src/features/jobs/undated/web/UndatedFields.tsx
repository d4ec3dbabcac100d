import { addDays, type Day } from '#src/shared/dates.ts'
import { DateField } from '#src/ui/DateField.tsx'
import { FieldGrid } from '#src/ui/FieldGrid.tsx'
import { NumberField } from '#src/ui/NumberField.tsx'
import { later, type Undated } from '../rules.ts'

type Props = { value: Undated; today: Day; onChange: (value: Undated) => void }

/** What stands in place of days: the window of a round, a place on the waiting list, or nothing at all. */
export const UndatedFields = ({ value, today, onChange }: Props) => {
  if (value.kind === 'on_demand')
    return <p className="muted">A visit is made when the customer asks: open the job and choose “Book it now”.</p>
  if (value.kind === 'waiting')
    return (
      <FieldGrid min={190}>
        <DateField
          label="Waits from"
          value={value.fromOn}
          today={today}
          onChange={(fromOn) => {
            if (fromOn)
              onChange({
                ...value,
                fromOn,
                warnOn: value.warnOn && value.warnOn < fromOn ? addDays(fromOn, 14) : value.warnOn,
              })
          }}
        />
        <DateField
          label="Warn from"
          optional
          placeholder="Never"
          value={value.warnOn}
          min={value.fromOn}
          today={today}
          onChange={(warnOn) => onChange({ ...value, warnOn })}
        />
      </FieldGrid>
    )
  return (
    <FieldGrid min={150}>
      <DateField
        label="Window opens"
        value={value.opensOn}
        today={today}
        onChange={(opensOn) => {
          if (opensOn) onChange({ ...value, opensOn, closesOn: later(opensOn, value.closesOn) })
        }}
      />
      <DateField
        label="Window closes"
        value={value.closesOn}
        min={value.opensOn}
        today={today}
        onChange={(closesOn) => {
          if (closesOn) onChange({ ...value, closesOn })
        }}
      />
      <NumberField
        label="After the last, at least"
        unit="days"
        min={0}
        value={value.minGapDays}
        onChange={(days) => onChange({ ...value, minGapDays: Math.max(0, Math.round(days ?? 0)) })}
      />
    </FieldGrid>
  )
}
