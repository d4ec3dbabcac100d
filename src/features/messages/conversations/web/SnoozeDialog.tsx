import { useState } from 'react'
import { ApiError } from '../../../../shared/client.ts'
import { addDays } from '../../../../shared/dates.ts'
import { Banner } from '../../../../ui/Banner.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { DateField } from '../../../../ui/DateField.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { FieldGrid } from '../../../../ui/FieldGrid.tsx'
import { FormActions } from '../../../../ui/FormActions.tsx'
import { TimeField } from '../../../../ui/TimeField.tsx'
import { useToday, useUser } from '../../../accounts/web/session.ts'
import { conversationsApi } from '../contract.ts'
import { longestSnoozeDays, snoozeProblem } from '../rules.ts'

/** Until which day and time a conversation rests. */
export const SnoozeDialog = ({
  name,
  onSnooze,
  onClose,
}: {
  name: string
  onSnooze: (until: { day: string; minute: number }) => Promise<unknown>
  onClose: () => void
}) => {
  const today = useToday()
  const { timeZone } = useUser().business
  const [day, setDay] = useState<string | null>(addDays(today, 1))
  const [minute, setMinute] = useState<number | null>(480)
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const save = async () => {
    if (day === null || minute === null) return setProblem('Choose a day and a time.')
    const found = snoozeProblem({ day, minute }, new Date(), timeZone)
    if (found) return setProblem(found)
    setBusy(true)
    await onSnooze({ day, minute })
      .then(onClose)
      .catch((error: unknown) =>
        setProblem(error instanceof ApiError ? error.message : 'This was not saved. Try again.'),
      )
    setBusy(false)
  }
  return (
    <Dialog open onClose={onClose} title="Snooze until" size="s">
      <form
        className="ui-form"
        aria-label="Snooze until"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          event.stopPropagation()
          void save()
        }}
      >
        <FieldGrid min={150}>
          <DateField
            label="Day"
            today={today}
            min={today}
            max={addDays(today, longestSnoozeDays)}
            value={day}
            onChange={setDay}
          />
          <TimeField label="Time" value={minute} onChange={setMinute} />
        </FieldGrid>
        <p className="hint">By your business's clock. When {name} writes before, it is open again at once.</p>
        {problem ? <Banner tone="error">{problem}</Banner> : null}
        <FormActions>
          <Button type="submit" kind="primary" calls={conversationsApi.snooze} loading={busy}>
            Snooze
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </FormActions>
      </form>
    </Dialog>
  )
}
