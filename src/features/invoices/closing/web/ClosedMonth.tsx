import { useQuery } from '@tanstack/react-query'
import { useFormContext } from 'react-hook-form'
import type { Day } from '../../../../shared/dates.ts'
import { Banner } from '../../../../ui/Banner.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { FormField } from '../../../../ui/FormField.tsx'
import { TextField } from '../../../../ui/TextField.tsx'
import { isClosedDay, monthLabel, monthOf } from '../rules.ts'
import { closingsQuery } from './data.ts'

/** What a form that dates money says and asks where the day is in a closed month. */
export const useClosedMonth = (day: Day | null) => {
  const found = useQuery(closingsQuery)
  const isClosed = day !== null && isClosedDay(found.data?.closedThrough ?? null, day)
  const mayExcept = found.data?.can.close ?? false
  return {
    isClosed,
    mayExcept,
    /** Why the form is not sent as it is, or null. */
    problem: <Name extends string>(reason: string, dayName: Name) =>
      !isClosed || (mayExcept && reason.trim() !== '')
        ? null
        : mayExcept
          ? { name: 'exceptionReason' as const, message: 'Say why: it stands on the record.' }
          : { name: dayName, message: `${monthLabel(monthOf(day))} is closed. Choose a later day.` },
  }
}

type Props = { closed: ReturnType<typeof useClosedMonth>; day: Day | null; onToday: () => void }

/** Under the day of a form: the month is closed, and what can be done about it. */
export const ClosedMonth = ({ closed, day, onToday }: Props) => {
  const { control } = useFormContext<{ exceptionReason: string }>()
  if (!closed.isClosed || !day) return null
  return (
    <>
      <Banner
        tone="warn"
        title={`${monthLabel(monthOf(day))} is closed`}
        action={<Button onClick={onToday}>Date it today</Button>}
      >
        {closed.mayExcept
          ? 'Date it today, or say below why it is booked in a closed month all the same.'
          : 'Date it today. Only an owner can reopen the month or book into it.'}
      </Banner>
      {closed.mayExcept ? (
        <FormField control={control} name="exceptionReason">
          {(f) => (
            <TextField
              {...f}
              label="Why in a closed month"
              maxLength={300}
              placeholder="The bank statement came late"
              hint="Stands in the history of the months and in the audit log, with your name."
            />
          )}
        </FormField>
      ) : null}
    </>
  )
}
