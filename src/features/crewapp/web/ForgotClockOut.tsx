import { useState } from 'react'
import { dayOf, minuteOfDay } from '../../../shared/dates.ts'
import { Alert } from '../../../ui/field/Alert.tsx'
import { FieldButton } from '../../../ui/field/FieldButton.tsx'
import { FieldCard } from '../../../ui/field/FieldCard.tsx'
import { FieldInput } from '../../../ui/field/FieldInput.tsx'
import { toast } from '../../../ui/toast.tsx'
import { saidEnd } from '../../timeclock/rules.ts'
import { minuteOfValue, timeValue } from '../figures/rules.ts'
import type { Crew } from './data.ts'
import { dayLabel, timeOf } from './labels.ts'

/** Nobody clocked out yesterday: asks when the work really ended, and suggests the end of the shift. */
export const ForgotClockOut = ({ crew }: { crew: Crew }) => {
  const { t, clock, timeZone, today } = crew
  const forgotten = clock?.forgotten ?? null
  const suggested = forgotten ? minuteOfDay(forgotten.suggestedEnd, timeZone) : 0
  const [typed, setTyped] = useState<string | null>(null)
  const [wrong, setWrong] = useState(false)
  if (!forgotten) return null
  const value = typed ?? timeValue(suggested)
  const day = dayOf(forgotten.startedAt, timeZone)
  const save = () => {
    const minute = minuteOfValue(value)
    const endedAt = minute === null ? null : saidEnd(forgotten.startedAt, minute, timeZone, crew.now)
    setWrong(endedAt === null)
    if (endedAt) crew.act('clock_out', undefined, { endedAt }).catch(() => toast.error(t.notSaved))
  }
  return (
    <FieldCard>
      <Alert tone="wait">{t.forgotTitle}</Alert>
      <div className="c-stack">
        <p>{t.forgotText(dayLabel(day, today, t), timeOf(forgotten.startedAt, timeZone))}</p>
        <FieldInput
          label={t.forgotLabel}
          type="time"
          value={value}
          onChange={setTyped}
          error={wrong ? t.forgotBad : undefined}
        />
        <FieldButton kind="main" onClick={save}>
          {t.forgotSave}
        </FieldButton>
      </div>
    </FieldCard>
  )
}
