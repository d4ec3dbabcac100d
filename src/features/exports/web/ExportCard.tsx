import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Badge } from '../../../ui/Badge.tsx'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { CheckboxField } from '../../../ui/CheckboxField.tsx'
import { Progress } from '../../../ui/Progress.tsx'
import { RelativeTime } from '../../../ui/RelativeTime.tsx'
import { useUser } from '../../accounts/web/session.ts'
import type { WholeExport } from '../contract.ts'
import { exportsQuery, useStartExport } from './data.ts'
import './exports.css'

const size = (bytes: number): string =>
  bytes < 1_000_000
    ? `${Math.max(1, Math.round(bytes / 1000)).toLocaleString('en-US')} KB`
    : `${(bytes / 1_000_000).toFixed(1)} MB`

const One = ({ record }: { record: WholeExport }) => (
  <li>
    {record.status === 'running' ? (
      <Progress
        value={record.stepsDone}
        max={Math.max(1, record.stepsTotal)}
        label="Making the archive"
        detail={`${record.stepsDone.toLocaleString('en-US')} of ${record.stepsTotal.toLocaleString('en-US')}`}
      />
    ) : (
      <>
        <span>
          <RelativeTime at={record.createdAt} />
          <span className="hint">
            {record.createdByName ? ` · ${record.createdByName}` : ''}
            {record.withFiles ? '' : ' · without photos and papers'}
            {record.missingFiles > 0 ? ` · ${record.missingFiles} files were not on the disk, see missing.txt` : ''}
          </span>
        </span>
        {record.status === 'done' ? (
          <span className="exports__archives">
            {record.archives.map((archive, at) => (
              <Button key={archive.path} href={archive.path} download={archive.name}>
                {`Download${record.archives.length > 1 ? ` ${at + 1} of ${record.archives.length}` : ''} (${size(archive.byteCount)})`}
              </Button>
            ))}
          </span>
        ) : (
          <Badge tone={record.status === 'failed' ? 'late' : 'neutral'}>
            {record.status === 'failed' ? 'Did not work, make another' : 'Not kept any more'}
          </Badge>
        )}
      </>
    )}
  </li>
)

/** Everything of the business to take away, at any time: for its owner, with or without a subscription. */
export const ExportCard = () => {
  const isOwner = useUser().role === 'Owner'
  const list = useQuery({ ...exportsQuery, enabled: isOwner })
  const start = useStartExport()
  const [withFiles, setWithFiles] = useState(true)
  if (!isOwner) return null
  const items = list.data?.items ?? []
  const runs = items.some(({ status }) => status === 'running')
  return (
    <Card id="export" flush className="settings-card">
      <div className="settings-card__words">
        <h2>Export everything</h2>
        <p className="muted">
          Every record as CSV, every photo and paper. Customers, properties, contacts, jobs and what is owed can be
          brought in again from it; leads, quotes, invoices one by one, calls, tasks and notes are there to read and
          keep. Made in the background and kept for 7 days. Only you as the owner see this.
        </p>
      </div>
      {start.error ? <Banner tone="error">{start.error.message}</Banner> : null}
      {list.error ? <Banner tone="error">{list.error.message}</Banner> : null}
      <div className="exports__start">
        <CheckboxField label="With photos and papers" value={withFiles} onChange={setWithFiles} />
        <Button kind="primary" loading={start.isPending} disabled={runs} onClick={() => start.mutate({ withFiles })}>
          {runs ? 'On its way' : 'Make an export'}
        </Button>
      </div>
      {items.length > 0 ? (
        <ul className="exports" aria-label="Exports">
          {items.map((record) => (
            <One key={record.id} record={record} />
          ))}
        </ul>
      ) : null}
    </Card>
  )
}
