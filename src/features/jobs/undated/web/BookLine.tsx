import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '#src/shared/client.ts'
import { type Day, formatDay } from '#src/shared/dates.ts'
import { Banner } from '#src/ui/Banner.tsx'
import { Button } from '#src/ui/Button.tsx'
import { DateField } from '#src/ui/DateField.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'
import { FormActions } from '#src/ui/FormActions.tsx'
import { SelectField } from '#src/ui/SelectField.tsx'
import { toast } from '#src/ui/toast.tsx'
import { focusUnread } from '#src/ui/useTyped.ts'
import { dayRefusal } from '../../../visits/days/rules.ts'
import { visitCalendarQuery } from '../../../visits/web/data.ts'
import type { JobLine, JobRecord } from '../../contract.ts'
import { useBookLine } from './data.ts'

const none = 'none'

/** Somebody asked for work on demand: on which day, or into the due list. */
export const BookLine = ({
  job,
  line,
  today,
  onClose,
}: {
  job: JobRecord
  line: JobLine
  today: Day
  onClose: () => void
}) => {
  const book = useBookLine()
  const calendar = useQuery(visitCalendarQuery).data
  const [day, setDay] = useState<Day | null>(null)
  const [crewId, setCrewId] = useState(job.crew?.id ?? none)
  const [problem, setProblem] = useState<string | null>(null)
  const crew = crewId === none ? null : crewId
  const submit = async () => {
    setProblem(null)
    try {
      await book.mutateAsync({ params: { id: job.id, lineId: line.id }, body: { day, crewId: day ? crew : null } })
      toast.success(day ? `${line.serviceName} booked for ${formatDay(day)}` : `${line.serviceName} is in the due list`)
      onClose()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setProblem(error.errors[0]?.message ?? error.message)
    }
  }
  return (
    <Dialog open onClose={onClose} title={`Book ${line.serviceName}`}>
      <form
        className="ui-form"
        onSubmit={(event) => {
          event.preventDefault()
          event.stopPropagation()
          if (!focusUnread(event.currentTarget)) void submit()
        }}
      >
        {problem ? <Banner tone="error">{problem}</Banner> : null}
        <DateField
          label="Day"
          optional
          placeholder="Decide in the due list"
          value={day}
          min={today}
          today={today}
          closed={(one) => (calendar ? dayRefusal(calendar, one, crew) : null)}
          onChange={setDay}
        />
        {day ? (
          <SelectField
            label="Crew"
            value={crewId}
            onChange={setCrewId}
            options={[
              { value: none, label: 'Decide when the day is planned' },
              ...(calendar?.crews ?? []).map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
        ) : null}
        <FormActions>
          <Button kind="primary" type="submit" loading={book.isPending}>
            {day ? `Book for ${formatDay(day)}` : 'Put in the due list'}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </FormActions>
      </form>
    </Dialog>
  )
}
