import { Badge, type Tone } from '../../../../ui/Badge.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { CopyValue } from '../../web/CopyValue.tsx'
import type { SenderRecord } from '../contract.ts'
import type { FindingState, RecordKind } from '../rules.ts'

const titles: Record<RecordKind, string> = {
  owner: 'The domain is yours',
  key: 'The key that signs (DKIM)',
  nextKey: 'The new key (DKIM)',
  spf: 'Who may send (SPF)',
  dmarc: 'What receivers do with what is not signed (DMARC)',
}

const states: Record<FindingState, { label: string; tone: Tone }> = {
  found: { label: 'Found', tone: 'done' },
  missing: { label: 'Not yet', tone: 'wait' },
  other: { label: 'Something else stands there', tone: 'flag' },
  wrong: { label: 'To be mended', tone: 'late' },
  unknown: { label: 'Could not ask', tone: 'wait' },
  open: { label: 'Not looked at', tone: 'neutral' },
}

const Row = ({ record, localDnsPath }: { record: SenderRecord; localDnsPath: string | null }) => {
  const { kind, needed, name, type, value, state, words, there } = record
  // what helps without being waited for is no alarm
  const { label, tone } = states[state]
  const isSettled = state === 'found' || (kind === 'dmarc' && state === 'wrong')
  return (
    <li className="sender-record">
      <div className="sender-record__head">
        <h3>{titles[kind]}</h3>
        <Badge tone={!needed && state === 'missing' ? 'neutral' : tone}>{label}</Badge>
        <span className="hint">{needed ? 'needed' : 'helps'}</span>
      </div>
      <p className="muted">{words}</p>
      {there.length > 0 && state !== 'found' ? (
        <ul className="sender-record__there" aria-label="What stands there">
          {there.map((text) => (
            <li key={text}>
              <code>{text}</code>
            </li>
          ))}
        </ul>
      ) : null}
      {value !== null && !isSettled ? (
        <>
          <CopyValue label="Name" of={titles[kind]} text={name} />
          <CopyValue label={type} of={titles[kind]} text={value} />
          {localDnsPath ? (
            <Button size="s" kind="quiet" newTab href={`${localDnsPath}?${new URLSearchParams({ name, type, value })}`}>
              Set it on this computer’s name server
            </Button>
          ) : null}
        </>
      ) : null}
    </li>
  )
}

/** The records of a domain, each with what to set and what was found. */
export const SenderRecords = ({
  records,
  localDnsPath,
}: {
  records: readonly SenderRecord[]
  localDnsPath: string | null
}) => (
  <ul className="sender-records" aria-label="Records to set">
    {records.map((record) => (
      <Row key={record.kind} record={record} localDnsPath={localDnsPath} />
    ))}
  </ul>
)
