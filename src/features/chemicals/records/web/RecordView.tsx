import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { dayOf, formatDay, formatTime } from '../../../../shared/dates.ts'
import { Badge } from '../../../../ui/Badge.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { KeyValue } from '../../../../ui/KeyValue.tsx'
import { LinkTo } from '../../../../ui/LinkTo.tsx'
import { useUser } from '../../../accounts/web/session.ts'
import { fieldLabel, plainNumber } from '../../rules.ts'
import { sourceOf } from '../../states/rules.ts'
import { chemicalsQuery } from '../../web/data.ts'
import { type ApplicationRecord, recordsApi } from '../contract.ts'
import { factLines } from '../rules.ts'
import { RecordForm } from './RecordForm.tsx'

const nearFeet = (meters: number): number => Math.max(1, Math.round(meters * 3.281))

type Flag = { label: string; tone: 'late' | 'wait' | 'neutral' }

const flagsOf = (record: ApplicationRecord): Flag[] => [
  ...(record.facts.license === 'missing' ? [{ label: 'No valid license', tone: 'late' } as const] : []),
  ...(record.facts.incident ? [{ label: 'Incident', tone: 'late' } as const] : []),
  ...(record.missing.length > 0 ? [{ label: 'Incomplete', tone: 'wait' } as const] : []),
  ...(record.late ? [{ label: 'Entered late', tone: 'wait' } as const] : []),
  ...(record.amendments.length > 0 ? [{ label: 'Amended', tone: 'neutral' } as const] : []),
  ...(record.facts.license === 'supervised' ? [{ label: 'Supervised', tone: 'neutral' } as const] : []),
]

/** What about a record wants to be seen at once; in a row the gravest, and how many more there are. */
export const RecordFlags = ({ record, short = false }: { record: ApplicationRecord; short?: boolean }) => {
  const flags = flagsOf(record)
  const shown = short ? flags.slice(0, 1) : flags
  const rest = flags.length - shown.length
  return (
    <span className="chem-flags">
      {shown.map(({ label, tone }) => (
        <Badge key={label} tone={tone}>
          {label}
        </Badge>
      ))}
      {rest > 0 ? (
        <span
          className="hint"
          title={flags
            .slice(1)
            .map(({ label }) => label)
            .join(', ')}
        >
          and {rest} more
        </span>
      ) : null}
    </span>
  )
}

/** What was used, in one line. */
export const usedText = ({ facts }: ApplicationRecord): string =>
  facts.products.map((one) => `${plainNumber(one.amount)} ${one.unit} ${one.name}`).join(', ')

const labelsOf = ({ facts }: ApplicationRecord) => facts.products.filter(({ labelUrl }) => labelUrl !== '')

/** Everything that a record says, what it lacks, and how it was put right. */
export const RecordView = ({ record, onAmended }: { record: ApplicationRecord; onAmended?: () => void }) => {
  const { timeZone } = useUser().business
  const catalog = useQuery(chemicalsQuery)
  const [amending, setAmending] = useState(false)
  const when = (at: string) => `${formatDay(dayOf(at, timeZone), { year: true })}, ${formatTime(at, timeZone)}`
  return (
    <div className="chem-record">
      <RecordFlags record={record} />
      {record.missing.length > 0 ? (
        <p className="chem-record__lacks">
          Still missing: {record.missing.map((field) => fieldLabel[field]).join(', ')}. Asked for in{' '}
          {record.facts.state || 'this state'} (
          <LinkTo href={sourceOf(record.facts.state).split(' ')[0] ?? ''}>where it is written</LinkTo>; check with your
          own regulator).
        </p>
      ) : null}
      <KeyValue
        labelWidth={132}
        items={factLines(record.facts, timeZone)
          .filter(({ text }) => text !== '')
          .map(({ label, text }) => ({ label, value: text }))}
      />
      {labelsOf(record).length > 0 ? (
        <p className="hint">
          {labelsOf(record).map(({ productId, name, labelUrl }) => (
            <LinkTo key={productId} href={labelUrl}>
              Label of {name}
            </LinkTo>
          ))}
        </p>
      ) : null}
      {record.signPhotos.length > 0 ? (
        <ul className="chem-photos">
          {record.signPhotos.map(({ id, url, place }) => (
            <li key={id}>
              <img src={url} alt="The sign that was posted" loading="lazy" />
              {place ? (
                <LinkTo href={`https://www.google.com/maps/search/?api=1&query=${place.latitude},${place.longitude}`}>
                  Where it stood{place.accuracyMeters === null ? '' : `, within ${nearFeet(place.accuracyMeters)} ft`}
                </LinkTo>
              ) : null}
            </li>
          ))}
        </ul>
      ) : null}
      <p className="hint">
        Written down {when(record.enteredAt)}
        {record.enteredBy ? ` by ${record.enteredBy}` : ''}
        {record.fromPhone ? ', on the phone' : ''}. Nobody can change it; what is wrong is put right beside it.
      </p>
      {record.amendments.length > 0 ? (
        <ol className="chem-amends">
          {record.amendments.map((one) => (
            <li key={one.id}>
              <b>{one.reason}</b>
              <span className="hint">
                {when(one.at)}
                {one.by ? `, ${one.by}` : ''}
              </span>
              {one.changes.map(({ label, from, to }) => (
                <span key={label}>
                  {label}: {from ? <del>{from}</del> : 'nothing'} → {to || 'nothing'}
                </span>
              ))}
            </li>
          ))}
        </ol>
      ) : null}
      {record.can.amend ? (
        <div>
          <Button size="s" calls={recordsApi.amend} disabled={!catalog.data} onClick={() => setAmending(true)}>
            Put right
          </Button>
        </div>
      ) : null}
      <Dialog
        open={amending}
        onClose={() => setAmending(false)}
        title="Put the record right"
        size="l"
        closeOnOutside={false}
      >
        {catalog.data ? (
          <RecordForm
            catalog={catalog.data}
            record={record}
            visitId={record.visitId}
            onDone={() => {
              setAmending(false)
              onAmended?.()
            }}
          />
        ) : null}
      </Dialog>
    </div>
  )
}
