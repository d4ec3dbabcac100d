import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { ApiError, call } from '#src/shared/client.ts'
import { has } from '#src/shared/roles.ts'
import { Banner } from '#src/ui/Banner.tsx'
import { Button } from '#src/ui/Button.tsx'
import { CheckboxField } from '#src/ui/CheckboxField.tsx'
import { ConfirmDialog } from '#src/ui/ConfirmDialog.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'
import { ErrorState } from '#src/ui/ErrorState.tsx'
import { FieldGrid } from '#src/ui/FieldGrid.tsx'
import { FormActions } from '#src/ui/FormActions.tsx'
import { SelectField } from '#src/ui/SelectField.tsx'
import { PanelSkeleton } from '#src/ui/Skeleton.tsx'
import { changedFields } from '#src/ui/saveOver.ts'
import { TextAreaField } from '#src/ui/TextAreaField.tsx'
import { TextField } from '#src/ui/TextField.tsx'
import { toast } from '#src/ui/toast.tsx'
import { focusUnread } from '#src/ui/useTyped.ts'
import { useVersioned } from '#src/ui/useVersioned.tsx'
import { useUser } from '../../accounts/web/session.ts'
import { servicesQuery } from '../../services/web/data.ts'
import { LicenseNote } from '../../visits/web/LicenseNote.tsx'
import { type JobRecord, jobsApi } from '../contract.ts'
import type { Calendar } from '../rules.ts'
import { BillingField } from './BillingField.tsx'
import { type ChangeBody, crewsQuery, useChangeJob } from './data.ts'
import { jobFields, jobWords } from './jobFields.ts'
import { formOf, linesToSend, numbersOf, problemsOf } from './lines.ts'
import { firstScope, type Scope, ScopeFields, saveLabel, scopeToSend } from './ScopeFields.tsx'
import { useOutcomeFirst } from './useOutcomeFirst.ts'
import { WorkFields } from './WorkFields.tsx'

type Props = {
  job: JobRecord
  calendar: Calendar
  /** The visit that a link led to; the change may be meant for it. */
  visitId?: string | null
  onClose: () => void
}

/** Changes a job, and says before it is saved which visits follow. */
export const JobEditor = ({ job: shown, calendar, visitId = null, onClose }: Props) => {
  const user = useUser()
  const canPrice = has(user, 'money')
  const services = useQuery(servicesQuery)
  const crews = useQuery(crewsQuery)
  const versioned = useVersioned({
    record: shown,
    read: jobFields,
    load: () => call(jobsApi.get, { params: { id: shown.id } }),
    words: jobWords(services.data ?? [], crews.data ?? []),
  })
  const job = versioned.opened ?? shown
  const change = useChangeJob(job.id)
  const start = useMemo(() => formOf(job), [job])
  const [title, setTitle] = useState(job.title)
  const [instructions, setInstructions] = useState(job.instructions)
  const [poNumber, setPoNumber] = useState(job.poNumber)
  const [crewId, setCrewId] = useState(job.crew?.id ?? '')
  const [keepDay, setKeepDay] = useState(job.keepDay)
  const [billing, setBilling] = useState(job.billing)
  const [lines, setLines] = useState(start.lines)
  const [schedule, setSchedule] = useState(start.schedule)
  const [scope, setScope] = useState<Scope>(() => firstScope(job, visitId, calendar.today))
  const [problem, setProblem] = useState<string | null>(null)
  const [errors, setErrors] = useState<Record<number, string>>({})

  const offered = services.data ?? []
  const sent = linesToSend(lines, schedule, (line) =>
    numbersOf(
      line,
      offered.find((s) => s.id === line.serviceId),
      job.property,
      schedule,
    ),
  )
  const typed = {
    title,
    instructions,
    poNumber,
    crewId: crewId || null,
    keepDay,
    billing,
    endOn: schedule.endOn,
    lines: sent,
  }
  const follow = scopeToSend(scope)
  const body: ChangeBody = { ...changedFields(jobFields(job), typed), ...follow, version: job.version }
  const touchesVisits = [body.lines, body.crewId, body.endOn, body.billing].some((part) => part !== undefined)
  const { question, preview, known, waits, mayGo } = useOutcomeFirst(job.id, body, touchesVisits)
  const [leaving, setLeaving] = useState(false)
  const leave = () => (Object.keys(changedFields(jobFields(job), typed)).length > 0 ? setLeaving(true) : onClose())

  const save = async () => {
    setProblem(null)
    setErrors({})
    try {
      await versioned.save(typed, async (changes, { version }, also) => {
        await change.mutateAsync({ ...changes, ...follow, version })
        toast.success(`Job changed${also}`)
        onClose()
      })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const found = problemsOf(error)
      setErrors(found.byLine)
      setProblem(found.problem)
    }
  }

  return (
    <Dialog open onClose={leave} title={`Change ${job.title}`} size="l" closeOnOutside={false}>
      {services.error && !services.data ? (
        <ErrorState compact error={services.error} onRetry={() => services.refetch()} />
      ) : !services.data ? (
        <PanelSkeleton />
      ) : (
        <form
          className="ui-form"
          onSubmit={(event) => {
            event.preventDefault()
            event.stopPropagation()
            if (!focusUnread(event.currentTarget) && mayGo()) void save()
          }}
        >
          {problem ? <Banner tone="error">{problem}</Banner> : null}
          <FieldGrid min={220}>
            <TextField label="Title" value={title} onChange={setTitle} maxLength={160} />
            <SelectField
              label="Crew"
              value={crewId}
              placeholder="No crew yet"
              onChange={setCrewId}
              options={(crews.data ?? []).map((crew) => ({ value: crew.id, label: crew.name }))}
            />
          </FieldGrid>
          <LicenseNote
            crewId={crewId || null}
            skills={[
              ...new Set(lines.flatMap((line) => offered.find((one) => one.id === line.serviceId)?.skills ?? [])),
            ]}
            days={job.nextVisits.flatMap(({ day }) => day ?? []).slice(0, 12)}
          />
          <WorkFields
            lines={lines}
            onLines={setLines}
            schedule={schedule}
            onSchedule={setSchedule}
            lawn={job.property}
            services={services.data}
            calendar={calendar}
            canPrice={canPrice}
            errors={errors}
            hideStart
          />
          {job.lines.some((line) => line.recurrence) ? (
            <CheckboxField
              label="Keep this day"
              hint="The season planner never proposes another day or week for this job."
              value={keepDay}
              onChange={setKeepDay}
            />
          ) : null}
          {canPrice ? <BillingField value={billing} onChange={setBilling} /> : null}
          <FieldGrid min={220}>
            <TextField label="PO number" optional value={poNumber} onChange={setPoNumber} maxLength={60} />
            <TextAreaField
              className="is-whole"
              label="For the crew"
              optional
              rows={2}
              value={instructions}
              onChange={setInstructions}
              maxLength={4000}
            />
          </FieldGrid>
          {touchesVisits ? (
            <ScopeFields
              scope={scope}
              onScope={setScope}
              visits={job.nextVisits}
              calendar={calendar}
              preview={preview}
              ref={question}
            />
          ) : null}
          <FormActions>
            <Button calls={jobsApi.update} kind="primary" type="submit" loading={change.isPending || waits}>
              {saveLabel(known ? preview.data : undefined)}
            </Button>
            <Button onClick={leave}>Cancel</Button>
          </FormActions>
        </form>
      )}
      {versioned.dialog}
      <ConfirmDialog
        open={leaving}
        onClose={() => setLeaving(false)}
        title="Drop what you changed?"
        confirmLabel="Drop the changes"
        cancelLabel="Keep editing"
        onConfirm={onClose}
      >
        The job stays as it was.
      </ConfirmDialog>
    </Dialog>
  )
}
