import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { dayOf, formatDay, formatTime } from '../../../../shared/dates.ts'
import { linkTo } from '../../../../shared/links.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { ErrorState } from '../../../../ui/ErrorState.tsx'
import { LinkTo } from '../../../../ui/LinkTo.tsx'
import { useUser } from '../../../accounts/web/session.ts'
import type { Unrecorded } from '../../unrecorded/contract.ts'
import { UnrecordedList } from '../../unrecorded/web/UnrecordedList.tsx'
import { chemicalsQuery } from '../../web/data.ts'
import { recordsApi } from '../contract.ts'
import { visitApplicationsQuery } from './data.ts'
import { RecordForm } from './RecordForm.tsx'
import { RecordView, usedText } from './RecordView.tsx'
import '../../web/chemicals.css'

/** What was put on the lawn of a visit: its records, and a new one. Nothing is shown where nobody treats anything. */
export const VisitApplications = ({ visitId }: { visitId: string }) => {
  const { timeZone } = useUser().business
  const found = useQuery(visitApplicationsQuery(visitId))
  const catalog = useQuery(chemicalsQuery)
  const [writing, setWriting] = useState(false)
  const [waiting, setWaiting] = useState<Unrecorded | null>(null)
  if (found.error && !found.data)
    return <ErrorState compact error={found.error} onRetry={() => void found.refetch()} retrying={found.isFetching} />
  if (!found.data || (!found.data.treats && found.data.records.length === 0)) return null
  const { records, refused } = found.data
  const hasMix = (catalog.data?.mixes.length ?? 0) > 0
  return (
    <section className="visit-part chem-visit" aria-labelledby={`applications-${visitId}`}>
      <h3 id={`applications-${visitId}`}>Applied here</h3>
      {records.map((record) => (
        <details key={record.id} className="chem-visit__one">
          <summary>
            <b>{record.facts.mix || usedText(record)}</b>
            <span className="hint">
              {usedText(record)} · {record.facts.applicator.name}
              {record.facts.keepOffUntil
                ? ` · keep off until ${formatTime(record.facts.keepOffUntil, timeZone)}, ${formatDay(dayOf(record.facts.keepOffUntil, timeZone))}`
                : ''}
            </span>
          </summary>
          <RecordView record={record} />
        </details>
      ))}
      <UnrecordedList
        visitId={visitId}
        onRecord={
          refused === null && catalog.data
            ? (one) => {
                setWaiting(one)
                setWriting(true)
              }
            : undefined
        }
      />
      {records.length === 0 ? <p className="hint">{refused ?? 'Nothing is written down yet.'}</p> : null}
      {catalog.data && !hasMix && records.length === 0 ? (
        <p className="hint">
          Make a mix of your products first, then a record takes one choice.{' '}
          <LinkTo href={linkTo.chemicals('mixes')}>Products and mixes</LinkTo>
        </p>
      ) : null}
      {refused === null ? (
        <div>
          <Button
            size="s"
            calls={recordsApi.add}
            disabled={!catalog.data}
            onClick={() => {
              setWaiting(null)
              setWriting(true)
            }}
          >
            {records.length === 0 ? 'Record an application' : 'Record another'}
          </Button>
        </div>
      ) : null}
      <Dialog
        open={writing}
        onClose={() => setWriting(false)}
        title="Record an application"
        size="l"
        closeOnOutside={false}
      >
        {catalog.data ? (
          <RecordForm catalog={catalog.data} visitId={visitId} waiting={waiting} onDone={() => setWriting(false)} />
        ) : null}
      </Dialog>
    </section>
  )
}
