import type { Ref } from 'react'
import { ApiError } from '#src/shared/client.ts'
import { addDays, type Day, formatDay } from '#src/shared/dates.ts'
import { CheckboxField } from '#src/ui/CheckboxField.tsx'
import { DateField } from '#src/ui/DateField.tsx'
import { RadioField } from '#src/ui/RadioField.tsx'
import { SelectField } from '#src/ui/SelectField.tsx'
import type { ChangePreview, JobRecord } from '../contract.ts'
import type { Calendar } from '../rules.ts'

export type Scope = {
  kind: 'this' | 'this_and_following' | 'all_open'
  visitId: string | null
  fromOn: Day | null
  includeMoved: boolean
}

type Choice = JobRecord['nextVisits'][number]
const canBeOne = ({ status }: Choice) => status === 'scheduled' || status === 'unscheduled'

/** From the visit on that a link led to, else from today on. */
export const firstScope = (job: Pick<JobRecord, 'nextVisits'>, visitId: string | null, today: Day): Scope => {
  const open = job.nextVisits.filter(canBeOne)
  const linked = open.find(({ id }) => id === visitId)
  const from = linked && linked.occurrenceOn > today ? linked.occurrenceOn : today
  return { kind: 'this_and_following', visitId: (linked ?? open[0])?.id ?? null, fromOn: from, includeMoved: false }
}

export const scopeToSend = ({ kind, visitId, fromOn, includeMoved }: Scope) =>
  kind === 'this'
    ? { scope: kind, ...(visitId ? { visitId } : {}) }
    : { scope: kind, ...(kind === 'this_and_following' && fromOn ? { fromOn } : {}), includeMoved }

export const counted = (n: number): string => `${n} ${n === 1 ? 'visit' : 'visits'}`

/** What the button does, in numbers once they are known. */
export const saveLabel = (preview: ChangePreview | undefined): string => {
  if (!preview) return 'Save job'
  const { changed, created, removed } = preview
  if (changed === 0 && created === 0 && removed > 0) return `Save and remove ${counted(removed)}`
  if (changed === 0 && removed === 0 && created > 0) return `Save and add ${counted(created)}`
  const affected = changed + Math.max(created, removed)
  return affected > 0 ? `Save and change ${counted(affected)}` : 'Save job'
}

const reasons: Record<ChangePreview['kept'][number]['reason'], string> = {
  moved: 'placed by hand',
  started: 'a crew is on it',
  invoiced: 'invoiced',
}

const some = (words: readonly string[], all: number): string =>
  `${words.join(', ')}${all > words.length ? ` and ${all - words.length} more` : ''}`

/** What a change does, before it is done, and who knows the old plan already. */
export const Outcome = ({ preview }: { preview: ChangePreview }) => {
  const stay = preview.changed - preview.moved
  const parts = [
    preview.moved > 0 ? `${counted(preview.moved)} moved` : null,
    stay > 0 ? `${counted(stay)} changed on ${stay === 1 ? 'its day' : 'their days'}` : null,
    preview.created > 0 ? `${preview.created} added` : null,
    preview.removed > 0 ? `${preview.removed} removed` : null,
  ].filter(Boolean)
  const kept = preview.kept.slice(0, 5).map((v) => `${v.day ? formatDay(v.day) : 'no day'} (${reasons[v.reason]})`)
  const told = preview.told
    .slice(0, 5)
    .map((v) => `${v.crewName}, ${formatDay(v.day)} → ${v.to === null ? 'off the calendar' : formatDay(v.to)}`)
  return (
    <output className="job-outcome" aria-live="polite">
      <b>{parts.length > 0 ? parts.join(', ') : 'No visit changes'}.</b>{' '}
      {kept.length > 0 ? <span className="muted">Stay as they are: {some(kept, preview.kept.length)}. </span> : null}
      {told.length > 0 ? (
        <span className="job-outcome__told">
          Was sent the old plan: {some(told, preview.told.length)}. Publish again.
        </span>
      ) : preview.moved + preview.removed > 0 ? (
        <span className="muted">Nobody was sent these visits yet.</span>
      ) : null}
    </output>
  )
}

type Props = {
  scope: Scope
  onScope: (scope: Scope) => void
  visits: readonly Choice[]
  calendar: Calendar
  preview: { data: ChangePreview | undefined; error: unknown }
  /** The whole question, to bring it into sight. */
  ref?: Ref<HTMLElement>
}

/** Which visits a change is meant for, and what becomes of them. */
export const ScopeFields = ({ scope, onScope, visits, calendar, preview, ref }: Props) => {
  const set = (changes: Partial<Scope>) => onScope({ ...scope, ...changes })
  const open = visits.filter(canBeOne)
  const { kind } = scope
  return (
    <section className="job-scope" ref={ref} tabIndex={-1} aria-label="What the change does">
      <RadioField
        label="Which visits follow"
        value={kind}
        onChange={(next) => set({ kind: next })}
        options={[
          ...(open.length > 0
            ? [
                {
                  value: 'this' as const,
                  label: 'Only one visit',
                  hint: 'Services, price, time and crew; not the schedule. What you leave stays as that visit has it.',
                },
              ]
            : []),
          { value: 'this_and_following', label: 'From a day on' },
          { value: 'all_open', label: 'All open visits', hint: 'Late ones change where they are.' },
        ]}
      />
      {kind === 'this' ? (
        <SelectField
          className="job-scope__from"
          label="Visit"
          value={scope.visitId ?? ''}
          onChange={(visitId) => set({ visitId })}
          options={open.map((visit) => ({
            value: visit.id,
            label: `${visit.day ? formatDay(visit.day) : 'No day yet'}${visit.crew ? `, ${visit.crew.name}` : ''}`,
          }))}
        />
      ) : null}
      {kind === 'this_and_following' ? (
        <DateField
          className="job-scope__from"
          label="From"
          value={scope.fromOn}
          today={calendar.today}
          min={calendar.today}
          max={addDays(calendar.today, 400)}
          onChange={(fromOn) => set({ fromOn })}
        />
      ) : null}
      {kind === 'this' ? null : (
        <CheckboxField
          label="Also visits that were placed by hand"
          value={scope.includeMoved}
          onChange={(includeMoved) => set({ includeMoved })}
        />
      )}
      {preview.error ? (
        <p className="job-outcome__told" role="alert">
          {preview.error instanceof ApiError
            ? (preview.error.errors[0]?.message ?? preview.error.message)
            : 'The visits could not be counted. Nothing was changed; save again to try once more.'}
        </p>
      ) : preview.data ? (
        <Outcome preview={preview.data} />
      ) : (
        <p className="muted">Counting the visits…</p>
      )}
    </section>
  )
}
